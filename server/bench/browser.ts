/** A page to PDF, from request to link, against a browser that is started for it and ended again. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROGRAM } from '../src/engines/chromium/resident.ts'
import type { Caller } from './caller.ts'
import { inTurns, measure } from './measure.ts'
import { ms, type Row, times } from './report.ts'

const JOB = {
  tasks: {
    import: { operation: 'import/upload' },
    convert: { operation: 'convert', input: 'import', output_format: 'pdf' },
    export: { operation: 'export/url', input: 'convert' },
  },
}
const LEAST = 3

const run = promisify(execFile)

export async function browsing(caller: Caller, folder: string, quick: boolean): Promise<Row[]> {
  const page = Buffer.from(article())
  const file = join(folder, 'page.html')
  await writeFile(file, page)
  let count = 0
  const cold = () => {
    count += 1
    const profile = `--user-data-dir=${join(folder, `profile-${count}`)}`
    const out = `--print-to-pdf=${join(folder, 'out.pdf')}`
    // It is started without a box here, and where root starts it, it wants no sandbox of its own either.
    return run(PROGRAM, ['--headless', '--no-sandbox', '--disable-gpu', profile, out, `file://${file}`])
  }
  const served = async () => {
    const job = await caller.post(JOB)
    await caller.upload(job, 'import', page, 'page.html')
    await caller.wait(job)
  }
  await measure(5, 1, served)
  await measure(1, 1, cold)
  const alone = await inTurns(
    quick ? 3 : 8,
    () => measure(5, 1, cold),
    () => measure(5, 1, served),
  )
  const ratio = alone.one.p50 / alone.other.p50
  return [
    {
      what: `html (${Math.round(page.length / 1024)} kB) to pdf: a browser started for it, p50`,
      value: ms(alone.one.p50),
    },
    { what: '  a job, from request to link, p50', value: ms(alone.other.p50) },
    { what: '  times as quick', value: times(ratio), target: `≥ ${LEAST}×`, ok: ratio >= LEAST },
  ]
}

/** A page of the usual kind: headings, text, a table, a picture. */
function article(): string {
  const text = '<p>Some words that say little, but enough of them to fill a line or two and then one more.</p>'
  const row = `<tr>${'<td>cell</td>'.repeat(6)}</tr>`
  const picture = `<svg width="300" height="100"><rect width="300" height="100" fill="#369"/><circle cx="50" cy="50" r="40" fill="#fc0"/></svg>`
  return `<!doctype html><meta charset="utf-8"><title>Article</title><style>body { font: 16px sans-serif } td { border: 1px solid }</style>
<h1>Article</h1>${picture}${`<h2>Part</h2>${text.repeat(8)}`.repeat(4)}<table>${row.repeat(20)}</table>`
}
