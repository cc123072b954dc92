/** The command line as a user runs it: its own process, against a real server. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { createReforge } from '@reforge/sdk/node'
import { picture } from '../../server/test/support/pictures.ts'
import { photo } from '../../server/test/support/samples.ts'
import { startServer, type TestServer } from '../../server/test/support/server.ts'
import { tempDir } from '../../server/test/support/temp-dir.ts'
import { until } from '../../server/test/support/until.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
let server: TestServer
let png: Buffer

before(async () => {
  server = await startServer()
  png = await picture('png')
})
after(() => server?.[Symbol.asyncDispose]())

/** A folder with these pictures. */
async function folder(t: TestContext, ...names: string[]): Promise<string> {
  const { path, remove } = await tempDir()
  t.after(remove)
  for (const name of names) await writeFile(join(path, name), png)
  return path
}

interface Ran {
  code: number
  out: string
  err: string
}

/** The certificate is found by itself, in the data folder. */
const environment = () => ({
  PATH: process.env.PATH,
  REFORGE_URL: server.url,
  REFORGE_API_KEY: server.key,
  REFORGE_DATA: server.data,
})

function start(cwd: string, args: string[], env: Record<string, string | undefined> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...environment(), ...env } })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  const ended = once(child, 'close').then(([code]): Ran => ({ code, out, err }))
  return { child, ended }
}

const run = (cwd: string, args: string[], env?: Record<string, string>): Promise<Ran> => start(cwd, args, env).ended
const kind = async (path: string): Promise<string> => (await readFile(path)).subarray(0, 3).toString('hex')
const JPG = 'ffd8ff'

test('one file is converted to another', async (t) => {
  const cwd = await folder(t, 'a.png')
  assert.deepEqual(await run(cwd, ['convert', 'a.png', 'b.jpg']), { code: 0, out: 'b.jpg\n', err: '' })
  assert.equal(await kind(join(cwd, 'b.jpg')), JPG)
})

test('several files go to a folder that is made for them, and settings are used', async (t) => {
  const cwd = await folder(t, 'a.png', 'b.png', 'c.png', 'd.png', 'e.png')
  const names = ['a', 'b', 'c', 'd', 'e']
  const files = names.map((name) => `${name}.png`)
  const small = await run(cwd, ['convert', ...files, '--to', 'jpg', '--option', 'quality=5', '--output', 'out/small'])
  assert.equal(small.err, '')
  assert.deepEqual(
    small.out.trim().split('\n').sort(),
    names.map((name) => `out/small/${name}.jpg`),
  )
  await run(cwd, ['convert', 'a.png', '--to', 'jpg', '--option', 'quality=95'])
  assert.ok((await stat(join(cwd, 'out/small/a.jpg'))).size < (await stat(join(cwd, 'a.jpg'))).size / 2)
})

test('a file that is there is replaced only when told', async (t) => {
  const cwd = await folder(t, 'a.png', 'b.jpg')
  const refused = await run(cwd, ['convert', 'a.png', 'b.jpg'])
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, /b\.jpg is already there\. Use --force/)
  assert.deepEqual(await readFile(join(cwd, 'b.jpg')), png)
  assert.equal((await run(cwd, ['convert', 'a.png', 'b.jpg', '--force'])).code, 0)
  assert.equal(await kind(join(cwd, 'b.jpg')), JPG)
})

test('one broken file fails, the others do not', async (t) => {
  const cwd = await folder(t, 'good.png')
  await writeFile(join(cwd, 'broken.png'), 'no picture')
  const { code, out, err } = await run(cwd, ['convert', 'broken.png', 'good.png', '--to', 'webp'])
  assert.deepEqual([code, out], [1, 'good.webp\n'])
  assert.match(err, /^broken\.png: .+\n$/)
  assert.deepEqual((await readdir(cwd)).sort(), ['broken.png', 'good.png', 'good.webp'])
})

test('--json says the same to programs', async (t) => {
  const cwd = await folder(t, 'a.png')
  const { code, out } = await run(cwd, ['convert', 'a.png', '--to', 'jpg', '--json'])
  const told = JSON.parse(out)
  assert.deepEqual(
    [code, told.ok, told.input, told.size, told.outputs[0].path],
    [0, true, 'a.png', png.length, 'a.jpg'],
  )
  const wrong = await run(cwd, ['convert', 'a.png', '--to', 'nope', '--json'])
  assert.deepEqual([wrong.code, JSON.parse(wrong.out).ok, wrong.err], [1, false, ''])
})

test('compress makes a smaller file beside the original', async (t) => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'a.jpg'), await photo(400, 300).jpeg({ quality: 98 }).toBuffer())
  assert.deepEqual(await run(cwd, ['compress', 'a.jpg']), { code: 0, out: 'a-compressed.jpg\n', err: '' })
  assert.ok((await stat(join(cwd, 'a-compressed.jpg'))).size < (await stat(join(cwd, 'a.jpg'))).size)
})

test('formats, options and jobs are listed', async (t) => {
  const cwd = await folder(t, 'a.png')
  const lines = async (...args: string[]) => (await run(cwd, args)).out.trim().split('\n')
  assert.ok((await lines('formats')).includes('png'))
  assert.ok((await lines('formats', '.PNG')).includes('convert\tjpg'))
  assert.ok((await lines('options', 'png', 'jpg')).some((line) => line.startsWith('quality\t1 to 100\t')))
  assert.ok(JSON.parse((await lines('options', 'png', 'jpg', '--json'))[0] ?? '').options.length > 0)
  await run(cwd, ['convert', 'a.png', 'listed.jpg'])
  const [id = '', status, , story] = (await lines('jobs'))[0]?.split('\t') ?? []
  assert.deepEqual([status, story], ['completed', 'a.png → listed.jpg'])
  const tasks = (await lines('jobs', id)).map((line) => line.split('\t').slice(0, 3).join(' '))
  assert.deepEqual(tasks.sort(), [
    'export completed export/url',
    'import completed import/upload',
    'process completed convert',
  ])
})

test('wrong usage is 2, and says what is right', async (t) => {
  const cwd = await folder(t, 'a.png')
  await mkdir(join(cwd, 'pictures'))
  const cases: [string[], RegExp][] = [
    [[], /Commands/],
    [['bake'], /There is no command "bake"\. There are: convert,/],
    [['convert'], /Say which file/],
    [['convert', 'a.png'], /Say what to convert to/],
    [['convert', 'none.png', '--to', 'jpg'], /There is no file none\.png/],
    [['convert', 'pictures', '--to', 'jpg'], /pictures is a folder/],
    [['convert', 'a.png', '--to', 'jpg', '--option', 'quality'], /--option name=value/],
    [['formats', '--to', 'jpg'], /takes no --to/],
    [['formats', 'nope'], /no use for nope/],
    [['options', 'png'], /two formats/],
    [['jobs', '--server', 'nowhere'], /"nowhere" is no address/],
    [['jobs', '--cacert', 'none.pem'], /none\.pem cannot be read/],
    [['--what'], /--what/],
  ]
  const ran = await Promise.all(cases.map(([args]) => run(cwd, args)))
  for (const [index, [args, words]] of cases.entries()) {
    const { code, out, err } = ran[index]!
    assert.deepEqual([code, out], [2, ''], args.join(' '))
    assert.match(err, words)
  }
})

test('a key that is refused, a server that is not there and a stranger’s certificate are 3', async (t) => {
  const cwd = await folder(t, 'a.png', 'b.png')
  const refused = await run(cwd, ['convert', 'a.png', 'b.png', '--to', 'jpg', '--key', 'wrong'])
  assert.equal(refused.code, 3)
  assert.match(refused.err, /did not accept the key\. Set REFORGE_API_KEY/)
  const away = await run(cwd, ['jobs', '--server', 'https://localhost:9'])
  assert.deepEqual([away.code, away.out], [3, ''])
  assert.match(away.err, /cannot be reached.*--server/)
  const strange = await run(cwd, ['jobs'], { REFORGE_DATA: cwd })
  assert.equal(strange.code, 3)
  assert.match(strange.err, /not trusted.*--cacert/)
  assert.equal((await run(cwd, ['jobs', '--cacert', server.caPath], { REFORGE_DATA: cwd })).code, 0)
})

test('keys are made on the data folder and work at once', async (t) => {
  const cwd = await folder(t)
  const { code, out } = await run(cwd, ['keys', 'create', '--user', 'ada@example.org'])
  assert.deepEqual([code, out.startsWith('rf_live_')], [0, true])
  assert.equal((await run(cwd, ['jobs', '--key', out.trim()])).code, 0)
  const wrong = await run(cwd, ['keys', 'create'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /--user/)
})

test('help and version are answers', async (t) => {
  const cwd = await folder(t)
  const help = await run(cwd, ['--help'])
  assert.deepEqual([help.code, help.err], [0, ''])
  for (const name of ['convert', 'compress', 'formats', 'options', 'jobs', 'keys'])
    assert.match((await run(cwd, [name, '--help'])).out, new RegExp(`Usage: reforge ${name}`))
  assert.match((await run(cwd, ['--version'])).out, /^\d+\.\d+\.\d+\n$/)
})

test('Ctrl-C cancels what is under way on the server', async (t) => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'large.png'), await photo(2400, 1800).png({ compressionLevel: 1 }).toBuffer())
  const key = await server.otherKey('impatient@example.org')
  const { jobs } = createReforge({ url: server.url, key, ca: server.ca })
  const { child, ended } = start(cwd, ['convert', 'large.png', '--to', 'avif'], { REFORGE_API_KEY: key })
  await until(async () => (await jobs.list()).totalDocs === 1, 'the job is there')
  child.kill('SIGINT')
  const { code, out, err } = await ended
  assert.deepEqual([code, out], [130, ''])
  assert.match(err, /Stopped/)
  const { docs } = await jobs.list()
  assert.deepEqual([docs[0]?.status, docs[0]?.result.errorCode], ['failed', 'task_canceled'])
  assert.deepEqual(await readdir(cwd), ['large.png'])
})
