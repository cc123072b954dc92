/** What ImageMagick sees of a picture: for results of sharp, whose own library must not be the only witness. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ext } from '../../src/catalog/formats.ts'

const run = promisify(execFile)

/** Runs `convert` on a picture, or on its first frame; what it prints is answered. */
async function asked(bytes: Uint8Array, ext: Ext, frames: '' | '[0]', ...args: string[]): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-seen-'))
  try {
    const path = join(dir, `a.${ext}`)
    await writeFile(path, bytes)
    const from = ext === 'avif' ? await opened(path) : path
    const how = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const
    return (await run('/usr/bin/convert', ['-quiet', `${from}${frames}`, ...args], how)).stdout
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** ImageMagick takes the colours of every AVIF for those of a film. */
async function opened(path: string): Promise<string> {
  await run('/usr/bin/heif-convert', [path, `${path}.png`])
  return `${path}.png`
}

/** In ImageMagick's words for what it knows of a picture: `%wx%h`, `%[interlace]`, `%T ` for each frame. */
export const seen = async (bytes: Uint8Array, ext: Ext, words: string): Promise<string> =>
  (await asked(bytes, ext, words.endsWith(' ') ? '' : '[0]', '-format', words, 'info:')).toString().trim()

/** Red, green and blue at a place, rounded so far that no encoder changes them. */
export async function seenColour(bytes: Uint8Array, ext: Ext, across: number, down: number): Promise<number[]> {
  const at = (part: string): string => `%[fx:round(255*p{floor(w*${across}),floor(h*${down})}.${part})]`
  const words = (
    await asked(
      bytes,
      ext,
      '[0]',
      '-alpha',
      'off',
      '-colorspace',
      'sRGB',
      '-format',
      `${at('r')} ${at('g')} ${at('b')}`,
      'info:',
    )
  ).toString()
  return words.split(' ').map((part) => Math.round(Number(part) / 40) * 40)
}

/** How much neighbours differ. */
export const seenRoughness = async (bytes: Uint8Array, ext: Ext): Promise<number> =>
  Number(
    await asked(
      bytes,
      ext,
      '[0]',
      '-colorspace',
      'Gray',
      '-morphology',
      'Convolve',
      'Sobel',
      '-format',
      '%[fx:mean]',
      'info:',
    ),
  )

/** Every pixel, eight bits a colour. */
export const seenPixels = (bytes: Uint8Array, ext: Ext): Promise<Buffer> =>
  asked(bytes, ext, '[0]', '-alpha', 'off', '-depth', '8', 'rgb:-')
