/** Office documents through the service, against LibreOffice started for each as `soffice --convert-to` does. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { memoryOf } from '../src/sandbox/patrol.ts'
import { family, readProcessTable } from '../src/sandbox/process-table.ts'
import { sheetsOf, slidesOf, textOf } from '../test/support/flat-office.ts'
import type { Caller } from './caller.ts'
import { inTurns, measure } from './measure.ts'
import { ms, perSecond, type Row, times } from './report.ts'

const run = promisify(execFile)
const SOFFICE = '/usr/bin/soffice'
const JOB = {
  tasks: {
    import: { operation: 'import/upload' },
    convert: { operation: 'convert', input: 'import', output_format: 'pdf' },
    export: { operation: 'export/url', input: 'convert' },
  },
}
const AT_ONCE = 2
const LEAST = { docx: 6, xlsx: 2, pptx: 2 } as const
const LEAST_RATE = 8
const STREAM_AT_ONCE = 4

const words = (index: number): string => `Paragraph ${index} of a letter that fills about a page. `.repeat(4)
const SOURCES = {
  docx: ['fodt', textOf([Array.from({ length: 10 }, (_, index) => words(index)).join(' ')])],
  xlsx: ['fods', sheetsOf({ A: Array.from({ length: 300 }, (_, row) => [`Row ${row}`, row, row * 1.5, row * row]) })],
  pptx: ['fodp', slidesOf(Array.from({ length: 12 }, (_, index) => ({ words: `Slide ${index}` })))],
} as const

/** Each with a profile of its own that it has used before: two at once on one fail. */
function createCold(folder: string) {
  const profiles = ['a', 'b']
  const convert = (profile: string, input: string, to: string) => {
    const own = `-env:UserInstallation=file://${join(folder, `profile-${profile}`)}`
    const args = ['--headless', '--norestore', own, '--convert-to', to, '--outdir', join(folder, profile), input]
    return run(SOFFICE, args, { timeout: 120_000 })
  }
  return async (input: string, to: string): Promise<string> => {
    const profile = profiles.pop() ?? 'c'
    await convert(profile, input, to)
    profiles.push(profile)
    return join(folder, profile)
  }
}

export async function officing(caller: Caller, pid: number, folder: string, quick: boolean): Promise<Row[]> {
  await mkdir(folder, { recursive: true })
  const cold = createCold(folder)
  const served = async (file: Buffer, name: string): Promise<void> => {
    const job = await caller.post(JOB)
    await caller.upload(job, 'import', file, name)
    await caller.wait(job)
  }
  const rows: Row[] = []
  let letter = Buffer.alloc(0)
  for (const [ext, [flat, bytes]] of Object.entries(SOURCES)) {
    const source = join(folder, `source.${flat}`)
    await writeFile(source, bytes)
    const path = join(await cold(source, ext), `source.${ext}`)
    const file = await readFile(path)
    await writeFile(join(folder, `source.${ext}`), file)
    const input = join(folder, `source.${ext}`)
    await measure(4, AT_ONCE, () => served(file, `x.${ext}`))
    await measure(2, AT_ONCE, () => cold(input, 'pdf'))
    const alone = await inTurns(
      quick ? 1 : 4,
      () => measure(quick ? 3 : 5, 1, () => cold(input, 'pdf')),
      () => measure(quick ? 8 : 20, 1, () => served(file, `x.${ext}`)),
    )
    const least = LEAST[ext as keyof typeof LEAST]
    const faster = alone.one.p50 / alone.other.p50
    rows.push(
      { what: `${ext} to pdf: cold soffice, p50`, value: ms(alone.one.p50) },
      { what: '  a job, from request to link, p50', value: ms(alone.other.p50) },
      { what: '  faster', value: times(faster), target: `≥ ${least}×`, ok: faster >= least },
    )
    if (ext !== 'docx') continue
    letter = file
    const crowd = await inTurns(
      quick ? 1 : 4,
      () => measure(quick ? 4 : 8, AT_ONCE, () => cold(input, 'pdf')),
      () => measure(quick ? 12 : 40, AT_ONCE, () => served(file, 'x.docx')),
      'rate',
    )
    const share = crowd.other.rate / crowd.one.rate
    rows.push(
      { what: `${AT_ONCE} at once: cold soffice`, value: perSecond(crowd.one.rate) },
      { what: '  jobs', value: perSecond(crowd.other.rate) },
      { what: '  more', value: times(share), target: `≥ ${LEAST_RATE}×`, ok: share >= LEAST_RATE },
    )
  }
  return [...rows, ...(await streaming(served, letter, pid, quick ? 40 : 200))]
}

/** Many one after the other: none fails, and nothing grows. */
async function streaming(
  served: (file: Buffer, name: string) => Promise<void>,
  file: Buffer,
  pid: number,
  many: number,
): Promise<Row[]> {
  const held = (): number => memoryOf(family(readProcessTable(), pid).map((row) => row.pid)) / 2 ** 20
  const before = held()
  let failed = 0
  await measure(many, STREAM_AT_ONCE, () => served(file, 'x.docx').catch(() => void failed++))
  const grown = held() - before
  return [
    {
      what: `${many} documents, ${STREAM_AT_ONCE} at once: failed`,
      value: String(failed),
      target: '0',
      ok: failed === 0,
    },
    {
      what: '  memory of the server and its boxes, grown',
      value: `${grown.toFixed(0)} MB`,
      target: '< 100 MB',
      ok: grown < 100,
    },
  ]
}
