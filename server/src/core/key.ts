/**
 * API keys: how one is made, hashed and recognised. "`rf_live_` + 256 random bits (base62) + checksum; only a hash is
 * stored; shown once." Knows nothing of users or of where the hash is kept.
 */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'rf_live_'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

const PRESET_KEY_LENGTH = 32

export function newKey(random: Buffer = randomBytes(32)): string {
  if (random.length !== 32) throw new Error('A key is made from 32 random bytes.')
  const body = PREFIX + base62(BigInt(`0x${random.toString('hex')}`), SECRET_LENGTH)
  return body + checksum(body)
}

/** What else is shown once and kept as a hash: cookies, tokens, tickets. */
export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

/** What is stored and looked up. One SHA-256 is enough: 256 random bits cannot be guessed from it. */
export const keyHash = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Whether this is one of ours, undamaged: a typing error or a cut-off paste is recognised without a look-up. */
export const looksLikeKey = (text: string): boolean =>
  FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)

/**
 * What is wrong with a key that the operator chose (`REFORGE_API_KEY`), or null. Any text that is long enough is taken,
 * as long as it survives the way through an HTTP header unchanged.
 */
export function presetKeyProblem(text: string): string | null {
  if (text.length < PRESET_KEY_LENGTH)
    return `A key must have at least ${PRESET_KEY_LENGTH} characters; this one has ${text.length}.`
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(text))
    return 'A key may contain only printable ASCII characters and no space at its ends.'
  return null
}

/** Whether it is worth a look-up: our own form, or possibly a preset key. */
export const mayBeKey = (text: string): boolean => looksLikeKey(text) || presetKeyProblem(text) === null

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH)

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text
}
