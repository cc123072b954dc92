/**
 * Hashes and checks passwords, off the event loop and a few at a time: each takes 19 MiB and a core for some tens of
 * milliseconds, and anybody may ask for one.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../core/errors.ts'
import { normalPassword, readPassword, STRENGTH, writePassword } from '../core/password.ts'

const SALT = 16
const TAG = 32
/** Of the four threads that Node has for such work; files need the others. */
const AT_ONCE = 2
/** Who would be behind these is told to come again: the queue must not grow with an attack. */
const MOST_WAITING = 64

export type Derive = (parameters: Argon2Parameters) => Promise<Buffer>

const derived: Derive = (parameters) => promisify(argon2)('argon2id', parameters)

export function createPasswords(derive: Derive = derived) {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= MOST_WAITING)
      throw new Problem('too_many_requests', 'Too many people are signing in at this moment. Try again in a moment.', {
        headers: { 'Retry-After': '2' },
      })
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  async function hash(password: string): Promise<string> {
    const salt = randomBytes(SALT)
    const message = normalPassword(password)
    const tag = await inTurn(() => derive({ message, nonce: salt, tagLength: TAG, ...STRENGTH }))
    return writePassword({ ...STRENGTH, salt, tag })
  }

  // Nobody's: where there is no hash to compare with, the same work is done with this one, so that time tells nothing.
  const nobody = writePassword({ ...STRENGTH, salt: randomBytes(SALT), tag: randomBytes(TAG) })

  return {
    hash,
    /** Does the same work whether there is a password to compare with or not. */
    async matches(password: string, kept: string | null): Promise<boolean> {
      const { salt, tag, ...strength } = readPassword(kept ?? nobody)
      const message = normalPassword(password)
      const found = await inTurn(() => derive({ message, nonce: salt, tagLength: tag.length, ...strength }))
      return timingSafeEqual(found, tag) && kept !== null
    },
  }
}

export type PasswordHashing = ReturnType<typeof createPasswords>
