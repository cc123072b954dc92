/** The command line in a terminal: colours, bars, a summary, and Ctrl-C as it is typed. */
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { createReforge } from '@reforge/sdk/node'
import { photo } from '../../server/test/support/samples.ts'
import { until } from '../../server/test/support/until.ts'
import { ground } from './support.ts'

const on = ground()
const { folder, terminal } = on
const CTRL_C = '\x03'

test('a conversion shows a bar, what became of each file, and a summary', async (t) => {
  const cwd = await folder(t, 'a.png', 'b.png')
  const { code, out } = await terminal(cwd, ['convert', 'a.png', 'b.png', 'none.png', '--to', 'jpg']).ended
  assert.equal(code, 2)
  assert.match(out, /There is no file none\.png/)
  const done = await terminal(cwd, ['convert', 'a.png', 'b.png', '--to', 'jpg']).ended
  assert.equal(done.code, 0)
  assert.match(done.out, /\x1b\[32m✓\x1b\[39m a\.png/)
  assert.match(done.out, /━|─/)
  const plain = stripVTControlCharacters(done.out)
  assert.match(plain, /✓ b\.png +\d\S* k?B → \S+ k?B .*→ b\.jpg/)
  assert.match(plain, /2 of 2 done .* → /)
  assert.ok(done.out.lastIndexOf('\x1b[?25h') > done.out.lastIndexOf('\x1b[?25l'), 'the cursor is back')
})

test('NO_COLOR takes the colours away, a dumb terminal the bars too', async (t) => {
  const cwd = await folder(t, 'a.png')
  const pale = await terminal(cwd, ['convert', 'a.png', 'b.jpg'], { NO_COLOR: '1' }).ended
  assert.doesNotMatch(pale.out, /\x1b\[\d*m/)
  assert.match(pale.out, /✓ a\.png/)
  const dumb = await terminal(cwd, ['convert', 'a.png', 'c.jpg'], { TERM: 'dumb' }).ended
  assert.equal(dumb.out, 'c.jpg\r\n')
})

test('what would garble the terminal is not written to it', async (t) => {
  const cwd = await folder(t, 'a.png')
  const { code, out } = await terminal(cwd, ['convert', 'a.png', '-', '--to', 'jpg']).ended
  assert.equal(code, 2)
  assert.match(out, /Standard output is a terminal/)
})

test('lists fit the terminal and help has colours', async (t) => {
  const cwd = await folder(t, 'a.png')
  const formats = await terminal(cwd, ['formats', 'png']).ended
  const lines = stripVTControlCharacters(formats.out).split('\r\n')
  assert.ok(lines[0]?.startsWith('convert   '))
  assert.ok(lines.every((line) => line.length <= 100))
  assert.match((await terminal(cwd, ['--help']).ended).out, /\x1b\[1mCommands/)
})

test('a key typed at the prompt of login is not shown', async (t) => {
  const cwd = await folder(t)
  const { child, ended, shown } = terminal(cwd, ['login'], { REFORGE_API_KEY: undefined })
  await until(async () => shown().includes('API key:'), 'it asks')
  child.stdin.write(`${on.server.key}\r`)
  const { code, out } = await ended
  assert.equal(code, 0, out)
  assert.match(out, /✓.* at https:/)
  assert.ok(!out.includes(on.server.key))
})

test('Ctrl-C cancels on the server, says so, and leaves nothing half done', async (t) => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'large.png'), await photo(2400, 1800).png({ compressionLevel: 1 }).toBuffer())
  const key = await on.server.otherKey('terminal@example.org')
  const { jobs } = createReforge({ url: on.server.url, key, ca: on.server.ca })
  const { child, ended } = terminal(cwd, ['convert', 'large.png', '--to', 'avif'], { REFORGE_API_KEY: key })
  await until(async () => (await jobs.list()).totalDocs === 1, 'the job is there')
  child.stdin.write(CTRL_C)
  const { code, out } = await ended
  assert.equal(code, 130)
  assert.match(out, /Stopped\. What was under way on the server is canceled\./)
  assert.equal((await jobs.list()).docs[0]?.result.errorCode, 'task_canceled')
  assert.deepEqual(await readdir(cwd), ['large.png'])
})
