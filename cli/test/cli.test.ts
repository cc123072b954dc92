/** The command line in a pipe: nothing but results on standard output, and exit codes that mean something. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createReforge } from '@reforge/sdk/node'
import { animation, photo } from '../../server/test/support/samples.ts'
import { until } from '../../server/test/support/until.ts'
import { ground } from './support.ts'

const on = ground()
const { folder, run, start } = on
const kind = async (path: string): Promise<string> => (await readFile(path)).subarray(0, 3).toString('hex')
const JPG = 'ffd8ff'

/** Pictures in a GIF: each begins with how long it is shown. */
const picturesIn = (gif: Buffer): number => gif.toString('latin1').split('\x21\xf9\x04').length - 1

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
  assert.deepEqual(await readFile(join(cwd, 'b.jpg')), on.png)
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
    [0, true, 'a.png', on.png.length, 'a.jpg'],
  )
  const wrong = await run(cwd, ['convert', 'a.png', '--to', 'nope', '--json'])
  assert.deepEqual([wrong.code, JSON.parse(wrong.out).ok, wrong.err], [1, false, ''])
})

test('a folder’s files keep their places in the folder for results, and what cannot be converted is left out', async (t) => {
  const cwd = await folder(t)
  await mkdir(join(cwd, 'pics/deep'), { recursive: true })
  for (const name of ['a.png', 'deep/b.png', 'deep/.hidden.png']) await writeFile(join(cwd, 'pics', name), on.png)
  await writeFile(join(cwd, 'pics/odd.xyz'), 'odd')
  const { code, out, err } = await run(cwd, ['convert', 'pics', '--to', 'jpg', '--output-dir', 'out'])
  assert.deepEqual([code, out.trim().split('\n').sort()], [0, ['out/a.jpg', 'out/deep/b.jpg']])
  assert.match(err, /^1 file left out: cannot become jpg\.\n$/)
})

test('two files that would become one are not mixed up', async (t) => {
  const cwd = await folder(t, 'a.png')
  await writeFile(join(cwd, 'a.gif'), await photo(40, 30).gif().toBuffer())
  const { code, out, err } = await run(cwd, ['convert', 'a.png', 'a.gif', '--to', 'jpg', '--force'])
  assert.deepEqual([code, out], [1, 'a.jpg\n'])
  assert.match(err, /a\.jpg is what becomes of a\.png already/)
})

test('standard input and standard output take the place of files', async (t) => {
  const cwd = await folder(t)
  const { child, ended } = start(cwd, ['convert', '-', '--to', 'jpg'])
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece) => pieces.push(piece))
  child.stdin.end(on.png)
  assert.deepEqual([(await ended).code, Buffer.concat(pieces).subarray(0, 3).toString('hex')], [0, JPG])
  const saved = await run(cwd, ['convert', '-', 'b.jpg'], {}, on.png)
  assert.deepEqual(saved, { code: 0, out: 'b.jpg\n', err: '' })
})

test('merge, crop and trim make what they say', async (t) => {
  const cwd = await folder(t, 'a.png', 'b.png')
  const moving = await animation('gif', ['#f00', '#0f0', '#00f', '#fff'], [100, 100, 100, 100])
  assert.equal(picturesIn(moving), 4)
  await writeFile(join(cwd, 'moving.gif'), moving)
  const [merged, cropped, trimmed] = await Promise.all([
    run(cwd, ['merge', 'a.png', 'b.png', '--output', 'all.pdf']),
    run(cwd, ['crop', 'a.png', '--width', '20', '--height', '10']),
    run(cwd, ['trim', 'moving.gif', '--start', '0.1', '--duration', '0.2']),
  ])
  assert.deepEqual(merged, { code: 0, out: 'all.pdf\n', err: '' })
  assert.equal((await readFile(join(cwd, 'all.pdf'))).subarray(0, 5).toString(), '%PDF-')
  assert.deepEqual(cropped, { code: 0, out: 'a-cropped.png\n', err: '' })
  const part = await readFile(join(cwd, 'a-cropped.png'))
  assert.deepEqual([part.readUInt32BE(16), part.readUInt32BE(20)], [20, 10])
  assert.deepEqual(trimmed, { code: 0, out: 'moving-trimmed.gif\n', err: '' })
  const pictures = picturesIn(await readFile(join(cwd, 'moving-trimmed.gif')))
  assert.equal(pictures, 2)
})

test('a format or a setting that does not exist is answered with the one that was meant', async (t) => {
  const cwd = await folder(t, 'a.png')
  const { code, err } = await run(cwd, ['convert', 'a.png', '--to', 'jpgg'])
  assert.deepEqual([code, err], [1, 'a.png: There is no format jpgg here. Did you mean jpg? See: reforge formats\n'])
  const odd = await run(cwd, ['convert', 'a.png', '--to', 'jpg', '--option', 'qualty=5'])
  assert.match(odd.err, /no option "qualty" here\. Did you mean quality\? See: reforge options\n$/)
})

const JOB = {
  tasks: {
    photo: { operation: 'import/upload' },
    jpg: { operation: 'convert', input: 'photo', output_format: 'jpg' },
    link: { operation: 'export/url', input: 'jpg' },
  },
}

test('a job from a file is run, watched, canceled and deleted', async (t) => {
  const cwd = await folder(t, 'a.png')
  await writeFile(join(cwd, 'job.json'), JSON.stringify(JOB))
  const done = await run(cwd, ['run', 'job.json', 'photo=a.png', '--output-dir', 'out'])
  assert.deepEqual(done, { code: 0, out: 'out/a.jpg\n', err: '' })
  const without = await run(cwd, ['run', 'job.json'])
  assert.equal(without.code, 2)
  assert.match(without.err, /photo waits for a file/)
  const waiting = await run(cwd, ['run', '-', 'a.png', '--json'], {}, JSON.stringify(JOB))
  const { job, outputs } = JSON.parse(waiting.out)
  assert.deepEqual([waiting.code, outputs[0].path], [0, 'a.jpg'])
  const odd = { tasks: { photo: { operation: 'import/uplod' } } }
  const refused = await run(cwd, ['run', '-'], {}, JSON.stringify(odd))
  assert.deepEqual([refused.code, /tasks\.photo\.operation.*mean import\/upload/.test(refused.err)], [1, true])
  const watched = await run(cwd, ['jobs', 'watch', job])
  assert.equal(watched.code, 0)
  assert.match(watched.out, /^jpg\tcompleted\tconvert\ta\.jpg/m)

  const { json: open } = await on.server.call('POST', '/v1/process/jobs', JOB)
  assert.deepEqual(await run(cwd, ['jobs', 'cancel', open.id]), { code: 0, out: `${open.id}\n`, err: '' })
  assert.equal((await run(cwd, ['jobs', 'watch', open.id])).code, 1)
  assert.equal((await run(cwd, ['jobs', 'delete', open.id])).code, 0)
  const gone = await run(cwd, ['jobs', 'show', open.id, '--json'])
  assert.deepEqual([gone.code, JSON.parse(gone.out).error.code], [1, 'not_found'])
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
  await writeFile(join(cwd, 'pictures/odd.xyz'), 'odd')
  const cases: [string[], RegExp][] = [
    [[], /Commands/],
    [['bake'], /There is no command "bake"\. There are: convert,/],
    [['conver', 'a.png'], /Did you mean convert\?/],
    [['jobs', 'lst'], /Did you mean list\?/],
    [['convert', 'a.png', '--too', 'jpg'], /no option --too\. Did you mean --to\?/],
    [['merge', 'a.png', '--to', 'pdf'], /two files or more/],
    [['convert'], /Say which file/],
    [['convert', 'a.png'], /Say what to convert to/],
    [['convert', 'none.png', '--to', 'jpg'], /There is no file none\.png/],
    [['convert', 'pictures', '--to', 'jpg'], /all cannot become jpg/],
    [['convert', 'a.png', '--to', 'jpg', '--option', 'quality'], /--option name=value/],
    [['formats', '--to', 'jpg'], /takes no --to/],
    [['formats', 'nope'], /no use for nope/],
    [['options', 'png'], /Say which format it becomes/],
    [['formats', 'pgn'], /Did you mean/],
    [['run', 'a.png'], /is no JSON/],
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
  assert.equal((await run(cwd, ['jobs', '--cacert', on.server.caPath], { REFORGE_DATA: cwd })).code, 0)
})

test('help and version are answers', async (t) => {
  const cwd = await folder(t)
  const help = await run(cwd, ['--help'])
  assert.deepEqual([help.code, help.err], [0, ''])
  for (const name of ['convert', 'jobs cancel']) {
    const { out } = await run(cwd, [...name.split(' '), '--help'])
    assert.match(out, new RegExp(`Usage: reforge ${name}`))
    assert.equal((await run(cwd, ['help', ...name.split(' ')])).out, out)
  }
  assert.equal(
    (await run(cwd, ['help', '--man'])).out,
    await readFile(join(import.meta.dirname, '../man/reforge.1'), 'utf8'),
  )
  assert.match((await run(cwd, ['--version'])).out, /^\d+\.\d+\.\d+\n$/)
})

test('Ctrl-C cancels what is under way on the server', async (t) => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'large.png'), await photo(2400, 1800).png({ compressionLevel: 1 }).toBuffer())
  const key = await on.server.otherKey('impatient@example.org')
  const { jobs } = createReforge({ url: on.server.url, key, ca: on.server.ca })
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
