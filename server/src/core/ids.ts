/** Identifiers in ObjectID form: 24 hex digits, four bytes of seconds first, growing within one process. */
import { randomBytes, randomInt } from 'node:crypto'

const process5 = randomBytes(5).toString('hex')
let counter = randomInt(0x800000)

export function newId(now: number): string {
  counter = (counter + 1) & 0xffffff
  const seconds = Math.floor(now / 1000) & 0xffffffff
  return (seconds >>> 0).toString(16).padStart(8, '0') + process5 + counter.toString(16).padStart(6, '0')
}

export const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value)
