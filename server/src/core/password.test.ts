import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { passwordProblem, readPassword, STRENGTH, writePassword } from './password.ts'

const EMAIL = 'ada.lovelace@example.org'

describe('a password', () => {
  for (const [password, why] of [
    ['', /at least 10/],
    ['short', /at least 10/],
    ['𝒶𝒷𝒸𝒹𝑒', /at least 10/],
    ['x'.repeat(257), /at most 256/],
    ['Ada.Lovelace@Example.org', /e-mail/],
    ['ada.lovelace', /e-mail/],
    ['Password123', /commonest/],
    ['P@ssw0rd2024!', /commonest/],
    ['passwordpassword', /commonest/],
    ['qwertyuiop', /commonest/],
    ['1234567890', /commonest/],
    ['0987654321', /commonest/],
    ['1111111111', /commonest/],
    ['abababababab', /commonest/],
    ['!!letmein!!', /commonest/],
  ] as const)
    test(`is not "${password.slice(0, 30)}"`, () => assert.match(passwordProblem(password, EMAIL) ?? '', why))

  for (const password of ['a horse among staples', '7302946158', 'Grüße aus Köln', 'correct horse'])
    test(`may be "${password}"`, () => assert.equal(passwordProblem(password, EMAIL), null))

  test('is kept in a form that is read back as it was', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((b) => Buffer.from(b))
    fc.assert(
      fc.property(bytes(16), bytes(32), (salt, tag) => {
        const text = writePassword({ ...STRENGTH, salt, tag })
        assert.match(text, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
        assert.deepEqual(readPassword(text), { ...STRENGTH, salt, tag })
      }),
    )
    for (const text of ['', 'plain', '$argon2i$v=19$m=1,t=1,p=1$aa$bb']) assert.throws(() => readPassword(text))
  })
})
