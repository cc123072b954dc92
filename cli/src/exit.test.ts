import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReforgeError } from '@reforge/sdk'
import { EXIT, exitCode, sentence, UsageError } from './exit.ts'

const error = (status: number, code: string, errors: { path: string; message: string }[] = []) =>
  new ReforgeError('Said by the server.', { status, code, errors })

test('each kind of trouble has its code and says what to do', () => {
  const cases: [unknown, number, RegExp][] = [
    [new UsageError('Say which file.'), EXIT.usage, /Say which file/],
    [error(401, 'unauthorized'), EXIT.server, /REFORGE_API_KEY/],
    [error(403, 'forbidden'), EXIT.server, /Said by the server/],
    [error(0, 'network_error'), EXIT.server, /npm start.*--server/],
    [error(0, 'untrusted_certificate'), EXIT.server, /--cacert/],
    [error(0, 'job_failed'), EXIT.failed, /Said by the server/],
    [
      error(400, 'invalid_parameter', [{ path: 'tasks.process.output_format', message: 'is odd.' }]),
      EXIT.failed,
      /^output_format is odd\.$/,
    ],
    [Object.assign(new Error(), { code: 'EEXIST', path: 'b.jpg' }), EXIT.failed, /b\.jpg is already there.*--force/],
    [Object.assign(new Error(), { code: 'EEXIST', path: 'b', syscall: 'mkdir' }), EXIT.failed, /b is a file, where/],
    [Object.assign(new Error(), { code: 'ENOTDIR', path: 'b/c' }), EXIT.failed, /A part of b\/c is a file/],
  ]
  for (const [trouble, code, words] of cases) {
    assert.equal(exitCode(trouble), code)
    assert.match(sentence(trouble), words)
  }
})

test('no message can steer the terminal', () => {
  assert.equal(sentence(new Error('a\x1b[2Jb\u009b\n')), 'a\uFFFD[2Jb\uFFFD\uFFFD')
})
