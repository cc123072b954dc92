/** Code to paste: it must say what the job says, and no file name may say more. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import type { JobBody } from '@reforge/sdk'
import { asCurl, asSdk, asShortSdk, literal, quoted } from './as-code.ts'

const body: JobBody = {
  tag: "it's",
  tasks: {
    'import-1': { operation: 'import/upload' },
    process: { operation: 'convert', input: 'import-1', output_format: 'jpg', options: { quality: 80, note: '"x"' } },
    export: { operation: 'export/url', input: 'process' },
  },
}
const url = 'https://localhost:8443'

test('a name in quotes is one word to a shell, whatever is in it', () => {
  for (const name of ["it's.png", '$(id) `id` "x" \\ .png', 'a\nb.png'])
    assert.equal(execFileSync('sh', ['-c', `printf %s ${quoted(name)}`], { encoding: 'utf8' }), name)
})

test('a literal is read back as what it was', () => {
  for (const value of [body, { a: ["it's", 'say "no"', '\\ \n é'] }, {}, 'x', 1, true, null])
    assert.deepEqual(JSON.parse(runInNewContext(`JSON.stringify(${literal(value)})`)), value)
})

test('curl creates the job, sends the file by the name of its task, and waits', () => {
  const code = asCurl(body, { url, files: { 'import-1': "it's.png" } })
  assert.match(code, /curl -sS https:\/\/localhost:8443\/v1\/process\/jobs -o job\.json/)
  assert.match(code, /file=@'it'\\''s\.png'/)
  assert.match(code, /\/wait/)
  execFileSync('sh', ['-n', '-c', code])
})

test('SDK code uploads what waits for it and saves what was exported', () => {
  const code = asSdk(body, { url, files: { 'import-1': 'a.png' } })
  assert.match(code, /createReforge, fileFromPath, save/)
  assert.match(code, /reforge\.upload\(import1, await fileFromPath\('a\.png'\)\)/)
  const short = asShortSdk('convert', 'a.png', { to: 'jpg' }, url)
  assert.match(short, /reforge\.convert\(await fileFromPath\('a\.png'\), \{ to: 'jpg' \}\)/)
})
