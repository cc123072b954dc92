/** The engine of pictures on a bench, and what its tests ask again and again. */
import assert from 'node:assert/strict'
import sharpLibrary from 'sharp'
import { Failure } from '../../src/core/errors.ts'
import { sharp } from '../../src/engines/sharp.ts'
import { type Bench, bench } from './bench.ts'
import { animation, corners } from './samples.ts'

export async function sharpTable() {
  const table = await bench(sharp)
  const { make } = table
  return {
    table,
    make,
    async one(...asked: Parameters<Bench['make']>): Promise<Buffer> {
      const { files } = await make(...asked)
      assert.equal(files.length, 1)
      return files[0]!
    },
  }
}

export const look = (bytes: Uint8Array) => sharpLibrary(bytes).metadata()

export async function sized(bytes: Uint8Array): Promise<[number, number]> {
  const { width, height } = await look(bytes)
  return [width, height]
}

/** A refusal in these words, which tell nothing of how it is done. */
export const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.equal(error.errorCode, 'processing_failed')
  assert.match(error.message, words)
  assert.doesNotMatch(error.message, /vips|buffer|\/opt/i)
  return true
}

const COLOURS = ['#ff0000', '#00ff00', '#0000ff', '#ffff00']
const TIMES = [100, 200, 300, 400]
export const png = await corners().png().toBuffer()
export const moving = await animation('gif', COLOURS, TIMES, 3)
export const shown = await animation('webp', COLOURS, TIMES)
