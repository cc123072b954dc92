/**
 * Canaries: a file and a web server that only a box which leaks would reach. Every kind of hostile picture and document is
 * made into everything people make of such files; nothing of the canaries may be in what comes out.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { serveFiles } from '../support/file-server.ts'
import { pdfWords, unpacked } from '../support/sample-pdf.ts'
import { startServer } from '../support/server.ts'
import { BOUND, type Shown, stepsOn } from '../support/steps.ts'
import { tempDir } from '../support/temp-dir.ts'
import { bombs, disguises, documents, drawings, programs, type Trap, type Traps } from '../support/traps.ts'

/** Letters that are easy to recognise in a picture. */
const CANARY = `CANARY${Array.from({ length: 8 }, () => 'AEHKLMNT'.charAt(randomInt(8))).join('')}`

const place = await tempDir()
// Anybody may read them: only the box keeps an engine from them.
await chmod(place.path, 0o755)
const bait = { file: join(place.path, 'canary.txt'), picture: join(place.path, 'canary.png') }
await writeFile(bait.file, `${CANARY}\n`, { mode: 0o666 })
await chmod(bait.file, 0o666)
const red = sharp({ create: { width: 40, height: 40, channels: 3, background: '#ff0000' } })
await writeFile(bait.picture, await red.png().toBuffer())
const web = await serveFiles({ '/a.png': await readFile(bait.picture), '/entity': Buffer.from(CANARY) })
const server = await startServer()
after(async () => {
  await server[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
  await place.remove()
})
const { create, ended, send, download } = stepsOn(server)

/** What a person would see or read of a result. */
async function assertNothingOf(bytes: Buffer, format: string): Promise<void> {
  const texts = [bytes.toString('latin1')]
  if (format === 'pdf') texts.push(await pdfWords(bytes), await unpacked(bytes))
  for (const text of texts) assert.ok(!text.includes(CANARY), 'the text of the canary file is in the result')
  if (format !== 'jpg' && format !== 'png') return
  const { dominant } = await sharp(bytes).stats()
  assert.ok(!(dominant.r > 200 && dominant.g < 60 && dominant.b < 60), 'the canary picture is in the result')
}

/** A failed task says why in words, and nothing of the machine. */
function assertClear({ result }: Shown): void {
  assert.match(result.errorCode, /^(processing_failed|engine_timeout)$/)
  assert.ok(result.msg.length > 10)
  assert.doesNotMatch(result.msg, /\/tmp|\/usr|\/work|\/in\/|node:|Error:|bwrap|undefined|\bat .*:\d+/)
}

async function spring({ name, bytes }: Trap, targets: readonly string[]): Promise<Shown[]> {
  const upload = await create('import/upload')
  // Before the file has come its format is not known: what is wrong with it shows when the task runs.
  const tasks = await Promise.all(targets.map((to) => create('convert', { input: upload.id, output_format: to })))
  await send(upload, bytes, name)
  return Promise.all(tasks.map(({ id }) => ended('tasks', id, BOUND)))
}

async function assertHarmless(trap: Trap, targets: readonly string[]): Promise<void> {
  for (const task of await spring(trap, targets)) {
    if (task.status === 'failed') assertClear(task)
    else for (const { url, format } of task.result.files) await assertNothingOf(await download(url), format)
  }
  assert.deepEqual(web.hits, [])
  assert.equal(await readFile(bait.file, 'utf8'), `${CANARY}\n`)
}

/** What goes through PDF on the way is looked at there, where its words can be read. */
const kinds: [kind: string, traps: Traps, targets: readonly string[]][] = [
  ['drawings', drawings({ ...bait, url: web.url }), ['jpg', 'png', 'pdf', 'txt']],
  ['programs', programs({ ...bait, url: web.url }), ['pdf', 'png']],
  ['documents', documents({ ...bait, url: web.url }), ['jpg', 'png', 'pdf', 'txt']],
  ['disguises', await disguises({ ...bait, url: web.url }), ['jpg', 'png', 'pdf', 'txt']],
]
for (const [kind, traps, targets] of kinds)
  describe(`no canary is reached by ${kind}`, () => {
    for (const [what, trap] of Object.entries(traps)) test(what, () => assertHarmless(trap, targets))
  })

describe('what has no end is ended', { concurrency: true }, () => {
  for (const [what, trap] of Object.entries(bombs()))
    test(what, () => assertHarmless(trap, [trap.name.endsWith('.pdf') ? 'jpg' : 'pdf']))

  test('pages in a circle are not taken for pictures', async () => {
    const [task] = await spring(bombs()['pages in a circle']!, ['txt'])
    assert.match(task.result.msg, /damaged/)
  })
})

test('the canaries are alive: whoever is not in a box reaches them', async () => {
  const { hits } = web
  assert.deepEqual(hits, [])
  assert.equal((await fetch(`${web.url}/a.png`)).status, 200)
  assert.deepEqual(hits, ['/a.png'])
  await assert.rejects(assertNothingOf(Buffer.from(`x${CANARY}`), 'txt'))
  await assert.rejects(assertNothingOf(await readFile(bait.picture), 'png'))
})
