/**
 * Locks an Office Open XML document by a password, as Office does: "agile encryption" of [MS-OFFCRYPTO] 2.3.4.10 in a
 * compound file of [MS-CFB]. No program here writes such files.
 */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

const SECTOR = 512
const END_OF_CHAIN = 0xffff_fffe
const FREE = 0xffff_ffff
const FAT_SECTOR = 0xffff_fffd
/** What is shorter would be in a stream of small pieces, which is not written here. */
const LEAST = 4096
const SPINS = 1000

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const sha = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const padded = (bytes: Buffer, unit: number, least = 0): Buffer =>
  Buffer.concat([bytes], Math.max(least, Math.ceil(bytes.length / unit) * unit))

function entry(name: string, type: number, child: number, right: number, start: number, size: number): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE((name.length + 1) * 2, 64)
  bytes.writeUInt8(type, 66)
  bytes.writeUInt8(1, 67)
  bytes.writeUInt32LE(FREE, 68)
  bytes.writeUInt32LE(right, 72)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}

/** Two streams, the shorter name first. */
function compoundFile([firstName, first]: [string, Buffer], [secondName, second]: [string, Buffer]): Buffer {
  const [a, b] = [padded(first, SECTOR), padded(second, SECTOR)]
  const [starts, counts] = [
    [1, 1 + a.length / SECTOR],
    [a.length / SECTOR, b.length / SECTOR],
  ] as const
  const used = 1 + counts[0] + counts[1]
  const tables = Math.ceil((used * 4) / (SECTOR - 4))
  const chain = (start: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => (index === count - 1 ? END_OF_CHAIN : start + index + 1))
  const fat = [END_OF_CHAIN, ...chain(starts[0], counts[0]), ...chain(starts[1], counts[1])]
  for (let table = 0; table < tables; table += 1) fat.push(FAT_SECTOR)
  while (fat.length % (SECTOR / 4) > 0) fat.push(FREE)
  const directory = Buffer.concat([
    entry('Root Entry', 5, 1, FREE, END_OF_CHAIN, 0),
    entry(firstName, 2, FREE, 2, starts[0], first.length),
    entry(secondName, 2, FREE, FREE, starts[1], second.length),
    Buffer.alloc(128),
  ])
  const header = Buffer.alloc(SECTOR, 0)
  header.write('d0cf11e0a1b11ae1', 'hex')
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at)
  for (const [at, value] of [
    [44, tables],
    [48, 0],
    [56, LEAST],
    [60, END_OF_CHAIN],
    [68, END_OF_CHAIN],
  ] as const)
    header.writeUInt32LE(value, at)
  header.fill(0xff, 76)
  for (let table = 0; table < tables; table += 1) header.writeUInt32LE(used + table, 76 + table * 4)
  return Buffer.concat([header, directory, a, b, Buffer.concat(fat.map(u32))])
}

/** The document as it is after "Encrypt with Password". */
export function lockedOffice(document: Buffer, password: string): Buffer {
  const [salt, keySalt, key, verifier] = [randomBytes(16), randomBytes(16), randomBytes(32), randomBytes(16)]
  const crypt = (secret: Buffer, iv: Buffer, bytes: Buffer): Buffer => {
    const cipher = createCipheriv('aes-256-cbc', secret, iv).setAutoPadding(false)
    return Buffer.concat([cipher.update(padded(bytes, 16)), cipher.final()])
  }
  let hash = sha(salt, Buffer.from(password, 'utf16le'))
  for (let spin = 0; spin < SPINS; spin += 1) hash = sha(u32(spin), hash)
  const own = (block: string): Buffer => sha(hash, Buffer.from(block, 'hex')).subarray(0, 32)
  const lock = (block: string, bytes: Buffer): string => crypt(own(block), salt, bytes).toString('base64')
  const iv = (block: Buffer): Buffer => sha(keySalt, block).subarray(0, 16)

  const segments = Array.from({ length: Math.ceil(document.length / 4096) }, (_, index) =>
    crypt(key, iv(u32(index)), document.subarray(index * 4096, (index + 1) * 4096)),
  )
  const stream = padded(Buffer.concat([u32(document.length), u32(0), ...segments]), 1, LEAST)
  const hmacKey = randomBytes(64)
  const hmac = createHmac('sha512', hmacKey).update(stream).digest()
  const sealed = (block: string, bytes: Buffer): string =>
    crypt(key, iv(Buffer.from(block, 'hex')), bytes).toString('base64')
  const how =
    'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"'
  const uri = 'http://schemas.microsoft.com/office/2006'
  const description = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<encryption xmlns="${uri}/encryption" xmlns:p="${uri}/keyEncryptor/password"><keyData ${how} saltValue="${keySalt.toString('base64')}"/><dataIntegrity encryptedHmacKey="${sealed('5fb2ad010cb9e1f6', hmacKey)}" encryptedHmacValue="${sealed('a0677f02b22c8433', hmac)}"/><keyEncryptors><keyEncryptor uri="${uri}/keyEncryptor/password"><p:encryptedKey spinCount="${SPINS}" ${how} saltValue="${salt.toString('base64')}" encryptedVerifierHashInput="${lock('fea7d2763b4b9e79', verifier)}" encryptedVerifierHashValue="${lock('d7aa0f6d3061344e', sha(verifier))}" encryptedKeyValue="${lock('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`
  const info = Buffer.concat([Buffer.from('0400040040000000', 'hex'), Buffer.from(description.padEnd(LEAST))])
  return compoundFile(['EncryptionInfo', info], ['EncryptedPackage', stream])
}
