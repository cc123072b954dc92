/**
 * Films and sound that were brought in before, as jobs from request to link, against the bare ffmpeg with the same
 * arguments. What is added should be lost in the work of an encoder, and be small where streams are only moved; telling
 * how far it is should cost nothing.
 */
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ext } from '../src/catalog/formats.ts'
import { resolve } from '../src/catalog/resolve.ts'
import { readConfig } from '../src/config.ts'
import { beforeArgs, outputArgs } from '../src/engines/ffmpeg/args.ts'
import { containerOf, type Writable } from '../src/engines/ffmpeg/containers.ts'
import { parseMedia } from '../src/engines/ffmpeg/media.ts'
import { soundOptions, videoOptions } from '../src/engines/ffmpeg/options.ts'
import { plan } from '../src/engines/ffmpeg/plan.ts'
import { commandOf } from '../src/engines/ffmpeg/run.ts'
import { audioWishes, videoWishes, type Wishes } from '../src/engines/ffmpeg/wishes.ts'
import type { Caller } from './caller.ts'
import { inTurns, measure, type Summary } from './measure.ts'
import { usedBy } from './processor.ts'
import { ms, type Row } from './report.ts'

const run = promisify(execFile)
const FFMPEG = ['-hide_banner', '-nostdin', '-y', '-v', 'error']
const { maxMediaPixels } = readConfig({})
const MOST_SHARE = 0.03
const MOST_ADDED = 60
/** Nothing that could be measured, were it not for the clock's own steps. */
const MOST_TOLD = 0.01

interface Work {
  what: string
  from: string
  format: Ext
  to: Writable
  options: Record<string, unknown>
  wishes: Wishes
}

const video = (to: Writable, given: Record<string, unknown>) => videoWishes(resolve(videoOptions(to), given).values)
const sound = (to: Writable) => audioWishes(resolve(soundOptions(to), {}).values)
/** Short for a film and for music, and long enough that what is added shows beside it as it would beside those. */
const SECONDS = 30
const SOUND_MINUTES = 8
/** Slow, as people choose who want it small. */
const CRF = { video_codec: 'libx264', video_crf: 30, video_preset: 'slow' }

const TRANSCODE: Work = {
  what: `mp4 (${SECONDS} s, 640 × 360) to mp4 of another quality`,
  ...{ from: 'film.mp4', format: 'mp4', to: 'mp4', options: CRF, wishes: video('mp4', CRF) },
}
const ENCODE: Work = {
  what: `wav (${SOUND_MINUTES} min) to mp3`,
  ...{ from: 'tone.wav', format: 'wav', to: 'mp3', options: {}, wishes: sound('mp3') },
}
const REMUX: Work = {
  what: 'mov to mp4, moved only',
  from: 'film.mov',
  format: 'mov',
  to: 'mp4',
  options: {},
  wishes: video('mp4', {}),
}

/** A film with grain and a tone, the same in another container, and some minutes of sound. */
async function material(folder: string): Promise<void> {
  const lavfi = (source: string) => ['-f', 'lavfi', '-i', source]
  const [card, noise] = [
    `testsrc2=size=640x360:rate=25:duration=${SECONDS},noise=alls=8:allf=t`,
    'anoisesrc=amplitude=0.1',
  ]
  const inputs = [
    ...lavfi(card),
    ...lavfi(`sine=frequency=440:duration=${SECONDS}`),
    ...lavfi(`${noise}:duration=${60 * SOUND_MINUTES}`),
  ]
  const film = [
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]
  await run('ffmpeg', [...FFMPEG, ...inputs, ...film, 'film.mp4', '-map', '2', '-ac', '2', 'tone.wav'], { cwd: folder })
  await run('ffmpeg', [...FFMPEG, '-i', 'film.mp4', '-c', 'copy', 'film.mov'], { cwd: folder })
}

/** The command the service runs, without the service. */
async function bareOf(folder: string, { from, format, to, wishes }: Work): Promise<() => Promise<unknown>> {
  const shown = ['-v', 'error', '-show_format', '-show_streams', '-show_chapters', '-of', 'json', from]
  const { stdout } = await run('ffprobe', shown, { cwd: folder })
  const media = parseMedia(stdout, (await stat(join(folder, from))).size)
  if (media === null) throw new Error(`${from} holds nothing`)
  const planned = plan(media, wishes, {
    ...{ ext: to, container: containerOf(to), filename: from, added: null, present: null },
  })
  const how = { before: beforeArgs(planned), after: outputArgs(planned) }
  const [program, ...args] = commandOf([{ format, path: from }], how, maxMediaPixels)
  return () => run(program, args, { cwd: folder })
}

type Served = (subscribed: boolean) => Promise<number>

/** Brings the file in; what is measured begins when it is there. */
async function servedBy(caller: Caller, file: Uint8Array, { from, to, options }: Work): Promise<Served> {
  const bringing = await caller.post({ tasks: { import: { operation: 'import/upload' } } })
  await caller.upload(bringing, 'import', file, from)
  const { tasks: brought } = await caller.wait(bringing)
  const tasks = {
    convert: { operation: 'convert', input: brought[0]?.id, output_format: to, options },
    export: { operation: 'export/url', input: 'convert' },
  }
  return async (subscribed) => {
    const job = await caller.post({ tasks })
    const stop = subscribed ? await caller.listen(job) : () => 0
    await caller.wait(job)
    return stop()
  }
}

interface Compared {
  one: Summary
  other: Summary
}

async function bothOf(folder: string, caller: Caller, work: Work) {
  const bare = await bareOf(folder, work)
  const served = await servedBy(caller, await readFile(join(folder, work.from)), work)
  return { bare, served: () => served(false) }
}

/** Long work, once in each turn. */
async function encoding(folder: string, caller: Caller, work: Work, rounds: number): Promise<Compared> {
  const { bare, served } = await bothOf(folder, caller, work)
  return inTurns(
    rounds,
    () => measure(1, 1, bare),
    () => measure(1, 1, served),
  )
}

/** Short work, several in each turn, after the code got warm. */
async function moving(folder: string, caller: Caller, work: Work, rounds: number): Promise<Compared> {
  const { bare, served } = await bothOf(folder, caller, work)
  await bare()
  await served()
  return inTurns(
    rounds,
    () => measure(4, 1, bare),
    () => measure(4, 1, served),
  )
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const encoded = (what: string, { one, other }: Compared): Row[] => {
  const share = other.p50 / one.p50 - 1
  return [
    { what: `${what}: bare ffmpeg`, value: ms(one.p50) },
    { what: '  a job, from request to link', value: ms(other.p50) },
    { what: '  time added', value: percent(share), target: `< ${percent(MOST_SHARE)}`, ok: share < MOST_SHARE },
  ]
}

/**
 * What telling costs is too little to show in the time of an encoder, which is never twice the same: so it is the
 * processor's time of the server and of who listens that is held against that time.
 */
async function telling(served: Served, pid: number, rounds: number) {
  const times = { quiet: [] as number[], told: [] as number[], whole: [] as number[] }
  let events = 0
  for (let round = 0; round < rounds; round++)
    for (const listens of [false, true]) {
      const before = usedBy(process.pid, pid)
      const { p50 } = await measure(1, 1, async () => {
        events = await served(listens)
      })
      times[listens ? 'told' : 'quiet'].push(usedBy(process.pid, pid) - before)
      times.whole.push(p50)
    }
  const middle = (list: number[]): number => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  return { cost: (middle(times.told) - middle(times.quiet)) / middle(times.whole), events }
}

export async function playing(caller: Caller, pid: number, folder: string, quick: boolean): Promise<Row[]> {
  await material(folder)
  const rounds = quick ? 1 : 5
  const remux = await moving(folder, caller, REMUX, 2 * rounds + 1)
  const encode = await encoding(folder, caller, ENCODE, rounds)
  const transcode = await encoding(folder, caller, TRANSCODE, rounds)
  const added = remux.other.p50 - remux.one.p50
  const served = await servedBy(caller, await readFile(join(folder, TRANSCODE.from)), TRANSCODE)
  const { cost, events } = await telling(served, pid, rounds)
  return [
    ...encoded(TRANSCODE.what, transcode),
    ...encoded(ENCODE.what, encode),
    { what: `${REMUX.what}: bare ffmpeg, p50`, value: ms(remux.one.p50) },
    { what: '  a job, from request to link, p50', value: ms(remux.other.p50) },
    { what: '  time added', value: ms(added), target: `< ${MOST_ADDED} ms`, ok: added < MOST_ADDED },
    {
      what: `the first again, told to a listener (${events} events): processor time added`,
      value: percent(cost),
      target: `< ${percent(MOST_TOLD)}`,
      ok: cost < MOST_TOLD,
    },
  ]
}
