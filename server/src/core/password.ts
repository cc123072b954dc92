/** What a password must be, and the form its hash is kept in (the PHC string of argon2id). Hashes nothing itself. */
export const PASSWORD = { least: 10, most: 256 } as const

/** OWASP's advice for argon2id: 19 MiB, two passes, one lane. */
export const STRENGTH = { memory: 19_456, passes: 2, parallelism: 1 } as const

/** The commonest of those that are long enough, in small letters, without what people add to make them "strong". */
const COMMON = new Set(
  `password qwertyuiop qwerty asdfghjkl zxcvbnm letmein welcome iloveyou administrator changeme superman batman
   football baseball basketball princess sunshine princesa starwars whatever computer michelle jennifer charlie
   trustno correcthorsebatterystaple passwort motdepasse contrasena reforge adminadmin rootroot secret topsecret
   pokemon liverpool chocolate butterfly jordan michael shadow monkey dragon master login access hello freedom
   test testtest guest default passw0rd p@ssword p@ssw0rd pass qazwsx qazwsxedc abc abcdefgh abcdefghij`
    .split(/\s+/)
    .filter(Boolean),
)

/** As it is hashed: the same letters give the same password on every keyboard. */
export const normalPassword = (text: string): string => text.normalize('NFKC')

/** What is wrong with it, or null. */
export function passwordProblem(text: string, email: string): string | null {
  const password = normalPassword(text)
  if ([...password].length < PASSWORD.least) return `must have at least ${PASSWORD.least} characters.`
  if ([...password].length > PASSWORD.most) return `must have at most ${PASSWORD.most} characters.`
  const plain = password.toLowerCase()
  const [name = '', host = ''] = email.toLowerCase().split('@')
  if (plain === email.toLowerCase() || plain === name || plain === `${name}${host}`)
    return 'must not be the e-mail address.'
  if (isCommon(plain)) return 'is one of the commonest passwords. Choose one that nobody would guess.'
  return null
}

/** A common word with digits and signs around it, the same few characters over and over, or a row of keys. */
function isCommon(plain: string): boolean {
  const word = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (word === '') return new Set(plain).size < 5 || isRow(plain)
  return COMMON.has(word) || COMMON.has(plain) || /^(.{1,4})\1+$/u.test(plain) || COMMON.has(halfOf(word))
}

const isRow = (digits: string): boolean => '01234567890123456789 09876543210987654321'.includes(digits)
/** Of "passwordpassword". */
const halfOf = (word: string): string => {
  const half = word.slice(0, word.length / 2)
  return half + half === word ? half : word
}

export interface KeptPassword {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  tag: Buffer
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

export const writePassword = ({ memory, passes, parallelism, salt, tag }: KeptPassword): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

export function readPassword(text: string): KeptPassword {
  const [, memory, passes, parallelism, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text) ?? []
  if (!salt || !tag) throw new Error('the hash of a password is not in a form that is known')
  return {
    ...{ memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    ...{ salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') },
  }
}
