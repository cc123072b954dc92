/** import/base64: the file is in the request. */
import { Type } from 'typebox'
import { bareName } from '../../core/filename.ts'
import { operation } from '../operation.ts'

/** "Encoded content is at most 1.5 MB", counted in the base64 text after the comma. */
const MOST = 1_572_864

const DATA_URI = /^data:[^,]*;base64,/i

export const importBase64 = operation({
  name: 'import/base64',
  summary: 'Import a file given as a base64 data URI, at most 1.5 MB of encoded content.',
  lane: 'io',
  inputs: [0, 0],
  params: Type.Object({
    file: Type.String({
      minLength: 1,
      description: 'Content as `data:<media_type>;base64,<data>`, at most 1.5 MB encoded.',
    }),
    filename: Type.String({ minLength: 1, maxLength: 1000, description: 'File name with its extension.' }),
  }),
  check({ file }) {
    const head = DATA_URI.exec(file.slice(0, 1000))?.[0]
    if (!head) return [{ path: 'file', message: 'must be a data URI: data:<media_type>;base64,<data>.' }]
    const length = file.length - head.length
    if (length > MOST)
      return [{ path: 'file', message: `must have at most ${MOST} bytes (1.5 MB) of base64 text; it has ${length}.` }]
    if (length === 0) return [{ path: 'file', message: 'must not be empty.' }]
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(file.slice(head.length).replace(/[\r\n]/g, '')))
      return [{ path: 'file', message: 'must be base64 after the comma: letters, digits, + and /, padded with =.' }]
    return []
  },
  async run({ params, receive }) {
    const bytes = Buffer.from(params.file.slice(params.file.indexOf(',') + 1), 'base64')
    return { files: [await receive(only(bytes), bareName(params.filename))] }
  },
})

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
