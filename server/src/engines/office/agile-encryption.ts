/**
 * Locks an Office Open XML document by a password, as Office does: "agile encryption" of [MS-OFFCRYPTO] 2.3.4.10, AES-256
 * with SHA-512, in a compound file. LibreOffice reads such files, and writes them only where a person clicks. Pure but for
 * chance; runs inside a box.
 */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { compoundFile, type Folder } from './compound-file.ts'

/** As often as Office does it; guessing a password costs as much. */
const SPINS = 100_000
const SEGMENT = 4096

/** "Block keys" for what is derived from the password, and for what is derived from the key of the document. */
const OF_PASSWORD = { input: 'fea7d2763b4b9e79', hash: 'd7aa0f6d3061344e', key: '146e0be7abacd0d6' }
const OF_KEY = { hmacKey: '5fb2ad010cb9e1f6', hmac: 'a0677f02b22c8433' }

const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)

const sha = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function encrypted(key: Buffer, iv: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false)
  return Buffer.concat([cipher.update(Buffer.concat([bytes], Math.ceil(bytes.length / 16) * 16)), cipher.final()])
}

/** "H(n) = H(iterator + H(n-1))". */
function spun(salt: Buffer, password: string): Buffer {
  let hash = sha(salt, Buffer.from(password, 'utf16le'))
  for (let spin = 0; spin < SPINS; spin += 1) hash = sha(u32(spin), hash)
  return hash
}

/** A text behind its length, filled up to whole words. */
const text = (words: string): Buffer => {
  const bytes = Buffer.from(words, 'utf16le')
  return Buffer.concat([u32(bytes.length), Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4)])
}
const VERSIONS = u16(1, 0, 1, 0, 1, 0)

/** Says that the document is behind an encryption: the same in every such file, [MS-OFFCRYPTO] 2.1 and 2.2. */
function dataSpaces(): Folder {
  const [space, transform] = ['StrongEncryptionDataSpace', 'StrongEncryptionTransform']
  const reference = Buffer.concat([u32(1, 0), text('EncryptedPackage'), text(space)])
  const id = text('{FF9A3F03-56EF-4613-BDD5-5A41C1D07246}')
  return {
    Version: Buffer.concat([text('Microsoft.Container.DataSpaces'), VERSIONS]),
    DataSpaceMap: Buffer.concat([u32(8, 1, reference.length + 4), reference]),
    DataSpaceInfo: { [space]: Buffer.concat([u32(8, 1), text(transform)]) },
    TransformInfo: {
      [transform]: {
        '\x06Primary': Buffer.concat([
          ...[u32(8 + id.length, 1), id, text('Microsoft.Container.EncryptionTransform'), VERSIONS],
          u32(0, 0, 0, 4),
        ]),
      },
    },
  }
}

const URI = 'http://schemas.microsoft.com/office/2006'
const HOW =
  'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"'

export function lockedDocument(document: Buffer, password: string): Buffer {
  const [salt, keySalt, key, verifier] = [randomBytes(16), randomBytes(16), randomBytes(32), randomBytes(16)]
  const vector = (block: Buffer): Buffer => sha(keySalt, block).subarray(0, 16)
  const segments = Array.from({ length: Math.ceil(document.length / SEGMENT) }, (_, index) =>
    encrypted(key, vector(u32(index)), document.subarray(index * SEGMENT, (index + 1) * SEGMENT)),
  )
  const stream = Buffer.concat([u32(document.length, 0), ...segments])
  const hmacKey = randomBytes(64)
  const hmac = createHmac('sha512', hmacKey).update(stream).digest()

  const hash = spun(salt, password)
  const byPassword = (block: string, bytes: Buffer): string =>
    encrypted(sha(hash, Buffer.from(block, 'hex')).subarray(0, 32), salt, bytes).toString('base64')
  const byKey = (block: string, bytes: Buffer): string =>
    encrypted(key, vector(Buffer.from(block, 'hex')), bytes).toString('base64')

  const integrity = `<dataIntegrity encryptedHmacKey="${byKey(OF_KEY.hmacKey, hmacKey)}" encryptedHmacValue="${byKey(OF_KEY.hmac, hmac)}"/>`
  const proof = `encryptedVerifierHashInput="${byPassword(OF_PASSWORD.input, verifier)}" encryptedVerifierHashValue="${byPassword(OF_PASSWORD.hash, sha(verifier))}" encryptedKeyValue="${byPassword(OF_PASSWORD.key, key)}"`
  const encryptor = `<keyEncryptor uri="${URI}/keyEncryptor/password"><p:encryptedKey spinCount="${SPINS}" ${HOW} saltValue="${salt.toString('base64')}" ${proof}/></keyEncryptor>`
  const description = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<encryption xmlns="${URI}/encryption" xmlns:p="${URI}/keyEncryptor/password"><keyData ${HOW} saltValue="${keySalt.toString('base64')}"/>${integrity}<keyEncryptors>${encryptor}</keyEncryptors></encryption>`
  return compoundFile({
    '\x06DataSpaces': dataSpaces(),
    EncryptionInfo: Buffer.concat([u16(4, 4), u32(0x40), Buffer.from(description)]),
    EncryptedPackage: stream,
  })
}
