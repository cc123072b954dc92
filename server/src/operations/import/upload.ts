/** import/upload: the caller posts the file to the form in the answer. Nothing runs here. */
import { Type } from 'typebox'
import { operation } from '../operation.ts'

export const importUpload = operation({
  name: 'import/upload',
  summary: 'Upload a file: post it to the form in the answer.',
  lane: 'io',
  inputs: [0, 0],
  waits: true,
  params: Type.Object({}),
  run: () => Promise.reject(new Error('an upload is finished by its caller')),
})
