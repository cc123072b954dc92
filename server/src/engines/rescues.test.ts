import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { type Bench, bench } from '../../test/support/bench.ts'
import { colourAt, near } from '../../test/support/samples.ts'
import { createCatalog } from '../catalog/catalog.ts'
import type { Engine } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { engines } from './index.ts'
import { afterOptions } from './sharp/options.ts'

const run = promisify(execFile)
const catalog = createCatalog(engines)
const dir = await mkdtemp(join(tmpdir(), 'reforge-rescues-'))
after(() => rm(dir, { recursive: true, force: true }))

async function written(name: string, program: string, ...args: string[]): Promise<Buffer> {
  const path = join(dir, name)
  await run(program, [...args, path])
  return readFile(path)
}

/** Red to the left, blue to the right. */
const HALVES = ['-size', '32x32', 'xc:red', 'xc:blue', '+append'] as const
const magick = (name: string, ...args: string[]) => written(name, '/usr/bin/convert-im6.q16', ...HALVES, ...args)
const film = (name: string, brand: string, ...codec: string[]) =>
  written(
    name,
    '/usr/bin/ffmpeg',
    ...['-v', 'error', '-f', 'lavfi', '-i', 'color=red:s=32x32,pad=64:32:0:0:blue', '-frames:v', '3'],
    ...[...codec, '-brand', brand, '-f', 'mp4'],
  )

/** Five bits a colour and no packing. */
function texture(): Buffer {
  const head = Buffer.alloc(128)
  head.write('DDS ')
  for (const [at, value] of [
    ...[
      [4, 124],
      [8, 0x100f],
      [12, 32],
      [16, 64],
      [20, 128],
      [76, 32],
      [80, 0x40],
      [88, 16],
      [108, 0x1000],
    ],
    ...[
      [92, 0x7c00],
      [96, 0x3e0],
      [100, 0x1f],
    ],
  ] as const)
    head.writeUInt32LE(value!, at!)
  const row = Buffer.alloc(128)
  for (let x = 0; x < 64; x += 1) row.writeUInt16LE(x < 32 ? 0x7c00 : 0x1f, 2 * x)
  return Buffer.concat([head, ...Array.from({ length: 32 }, () => row)])
}

/** A bitmap that says it is much longer. */
async function boaster(): Promise<Buffer> {
  const bytes = await magick('a.bmp', '-type', 'truecolor')
  bytes.writeUInt32LE(0x7fff_0000, 2)
  return bytes
}

const samples: Partial<Record<Ext, Record<string, Buffer>>> = {
  tiff: {
    'packed as sharp cannot unpack it': await magick('lzma.tiff', '-compress', 'LZMA'),
    'of twelve bits': await magick('twelve.tiff', '-depth', '12', '-compress', 'None'),
  },
  dds: { 'of fifteen bits': texture() },
  bmp: { 'that says it is longer than it is': await boaster() },
  avif: { 'that moves': await film('a.avif', 'avis', '-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv444p') },
  heic: { 'that moves': await film('a.heic', 'msf1', '-c:v', 'libx265', '-x265-params', 'log-level=none') },
}

/** An engine whose rescues can be asked for like anything else. */
const willing = (engine: Engine): Engine => ({
  ...engine,
  can: (engine.rescues ?? []).map((rescue) => ({ does: 'convert', cost: 1, options: afterOptions.png, ...rescue })),
})

const FORMAT: Record<string, string> = { jpg: 'jpeg', avif: 'heif' }
const rescuers = await Promise.all(
  engines
    .filter(({ rescues }) => rescues)
    .map(async (engine) => ({ id: engine.id, rescues: engine.rescues ?? [], table: await bench(willing(engine)) })),
)
const usualHop = (from: Ext, to: Ext) => catalog.route('convert', from, to)!.hops[0]!
const usual = new Map<Engine, Bench>()
for (const { from, to } of rescuers.flatMap(({ rescues }) => rescues))
  for (const { engine } of from.flatMap((ext) => to.map((target) => usualHop(ext, target))))
    if (!usual.has(engine)) usual.set(engine, await bench(engine))

describe('what an engine gives up', () => {
  for (const { id, rescues, table } of rescuers)
    for (const { from, to } of rescues)
      for (const ext of from)
        it(`${id} reads of ${ext}`, async () => {
          const found = Object.entries(samples[ext] ?? {})
          assert.ok(found.length > 0, `there is no ${ext} to try it on`)
          for (const [what, bytes] of found) {
            assert.equal(sniff(bytes, `a.${ext}`).format, ext, what)
            for (const target of to) {
              const hop = usualHop(ext, target)
              const given = usual.get(hop.engine)!.make('convert', { ext, bytes }, hop.to)
              await assert.rejects(given, { errorCode: 'processing_failed' }, what)
              const { files } = await table.make('convert', { ext, bytes }, target)
              const { format, width, height } = await sharp(files[0]).metadata()
              assert.deepEqual([format, width, height], [FORMAT[target] ?? target, 64, 32], `${what} to ${target}`)
              const seen = [await colourAt(files[0]!, 0.2, 0.5), await colourAt(files[0]!, 0.8, 0.5)]
              assert.ok(near(seen[0]!, '#ff0000', 30) && near(seen[1]!, '#0000ff', 30), `${what} to ${target}: ${seen}`)
            }
          }
        })

  it('is refused when it is cut off', async () => {
    for (const { rescues, table } of rescuers)
      for (const ext of rescues.flatMap(({ from }) => from))
        for (const bytes of Object.values(samples[ext] ?? {}))
          for (const share of [0.1, 0.3, 0.6]) {
            const part = table.make('convert', { ext, bytes: bytes.subarray(0, bytes.length * share) }, 'png')
            await assert.rejects(part, { errorCode: 'processing_failed' }, `${share} of a ${ext}`)
          }
  })
})
