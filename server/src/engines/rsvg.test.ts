import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { colourAt, near } from '../../test/support/samples.ts'
import type { Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import { rsvg, rsvgArgs } from './rsvg.ts'

const run = promisify(execFile)
const table = await bench(rsvg)
const { make } = table
const dir = await mkdtemp(join(tmpdir(), 'reforge-rsvg-'))
after(() => rm(dir, { recursive: true, force: true }))

const drawing = (inside: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="40">${inside}</svg>`,
  )
const svg = drawing(
  '<rect width="40" height="40" fill="red"/><text x="42" y="30" font-size="20">Ag</text><rect x="79" width="1" height="40" fill="#eee"/>',
)

/** As Ghostscript sees it. */
async function shown(bytes: Buffer, ext: Ext): Promise<Buffer> {
  await writeFile(join(dir, `made.${ext}`), bytes)
  const device = ['-q', '-dBATCH', '-dNOPAUSE', '-dSAFER', '-r96', '-sDEVICE=png16m', '-dEPSCrop']
  await run('/usr/bin/gs', [...device, `-sOutputFile=${join(dir, 'seen.png')}`, join(dir, `made.${ext}`)])
  return readFile(join(dir, 'seen.png'))
}

engineContract(rsvg, table, {
  files: { svg, svgz: gzipSync(svg) },
  async opens(bytes, ext) {
    const seen = await shown(bytes, ext)
    const { width, height } = await sharpLibrary(seen).metadata()
    assert.deepEqual([width, height], [80, 40])
    assert.ok(near(await colourAt(seen, 0.25, 0.5), '#ff0000'))
    const { channels } = await sharpLibrary(seen).extract({ left: 41, top: 5, width: 38, height: 30 }).stats()
    assert.ok(channels[0]!.min < 100, 'the text is there')
  },
})

describe('a drawing', () => {
  const made = async (bytes: Buffer, given: Record<string, unknown> = {}): Promise<Buffer> =>
    shown((await make('convert', { ext: 'svg', bytes }, 'pdf', given)).files[0]!, 'pdf')

  it('can be scaled and have a background', async () => {
    const big = await made(svg, { svg_scale: 200, background: '#00ff00' })
    assert.equal((await sharpLibrary(big).metadata()).width, 160)
    assert.ok(near(await colourAt(big, 0.95, 0.02), '#00ff00'))
  })

  it('shows nothing of other files', async () => {
    const other = join(dir, 'other.png')
    await writeFile(
      other,
      await sharpLibrary({ create: { width: 80, height: 40, channels: 3, background: '#00ff00' } })
        .png()
        .toBuffer(),
    )
    const hrefs = [other, `file://${other}`, '/in/0.svg', '../../etc/passwd']
    const images = hrefs.map((href) => `<image width="80" height="40" xlink:href="${href}"/>`).join('')
    assert.equal(await colourAt(await made(drawing(images)), 0.5, 0.5), '#ffffff')
  })

  it('is refused in plain words when it is none', async () => {
    for (const bytes of [Buffer.from('<svg'), Buffer.from('hello')])
      await assert.rejects(
        make('convert', { ext: 'svg', bytes }, 'pdf'),
        (error) => error instanceof Failure && /could not be read/.test(error.message),
      )
  })

  it('is told by arguments', () =>
    assert.deepEqual(rsvgArgs('a.svg', 'pdf', { svg_scale: 50, background: undefined }).slice(-3), [
      '--zoom',
      '0.5',
      'a.svg',
    ]))
})

optionProofs(rsvg, table, {
  files: { svg },
  proofs: {
    svg_scale: proof({ given: 200, see: pictures.sizeOf }),
    background: proof({
      sample: Buffer.from(svg.toString().replace(/<rect[^>]*>/g, '')),
      given: '#00ff00',
      see: pictures.colour(0.5, 0.5),
    }),
  },
})

it('refuses a drawing that shows its parts a million times over, before it draws', async () => {
  const level = (at: number): string => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(10)}</g>`
  const bomb = `<svg xmlns="http://www.w3.org/2000/svg"><path id="l0"/>${[0, 1, 2, 3, 4, 5, 6].map(level).join('')}</svg>`
  await assert.rejects(make('convert', { ext: 'svg', bytes: Buffer.from(bomb) }, 'pdf'), /so many times over/)
})
