import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { colourAt, near, photo } from '../../test/support/samples.ts'
import { potrace, potraceArgs } from './potrace.ts'

const table = await bench(potrace)
const { make } = table

/** A dark square of 40 on a bright ground of 100, with a dot of 3 in a corner. */
const square = sharpLibrary({ create: { width: 100, height: 100, channels: 3, background: '#eeeeee' } }).composite([
  { input: { create: { width: 40, height: 40, channels: 3, background: '#555555' } }, left: 30, top: 30 },
  { input: { create: { width: 3, height: 3, channels: 3, background: '#000000' } }, left: 5, top: 5 },
])
const png = await square.clone().png().toBuffer()
/** As librsvg draws it. */
const drawn = (svg: Buffer): Promise<Buffer> =>
  sharpLibrary(svg).resize(100, 100).flatten({ background: '#ffffff' }).png().toBuffer()
const trace = async (given: Record<string, unknown> = {}): Promise<Buffer> =>
  drawn((await make('convert', { ext: 'png', bytes: png }, 'svg', given)).files[0]!)

engineContract(potrace, table, {
  files: { png, jpg: await square.clone().jpeg().toBuffer() },
  async opens(svg) {
    const seen = await drawn(svg)
    assert.ok(near(await colourAt(seen, 0.5, 0.5), '#000000') && near(await colourAt(seen, 0.9, 0.9), '#ffffff'))
  },
})

describe('tracing', () => {
  it('obeys threshold, colour and inversion', async () => {
    assert.ok(near(await colourAt(await trace({ trace_threshold: 20 }), 0.5, 0.5), '#ffffff'))
    assert.ok(near(await colourAt(await trace({ trace_color: '#ff0000' }), 0.5, 0.5), '#ff0000'))
    const inverted = await trace({ trace_invert: true })
    assert.ok(
      near(await colourAt(inverted, 0.5, 0.5), '#ffffff') && near(await colourAt(inverted, 0.9, 0.9), '#000000'),
    )
  })

  it('leaves speckles out', async () => {
    assert.ok(near(await colourAt(await trace(), 0.065, 0.065), '#000000', 60))
    assert.ok(near(await colourAt(await trace({ trace_speckles: 20 }), 0.065, 0.065), '#ffffff'))
  })

  it('rounds corners or keeps them', async () => {
    const corner = async (trace_smoothness: number) => colourAt(await trace({ trace_smoothness }), 0.305, 0.305)
    assert.ok(near(await corner(0), '#000000', 60))
    assert.ok(!near(await corner(100), await corner(0), 60))
  })

  it('does what sharp does to pictures before', async () => {
    const { files } = await make('convert', { ext: 'png', bytes: png }, 'svg', { image_custom_width: 50 })
    assert.match(files[0]!.toString(), /viewBox="0 0 50\.0+ 50\.0+"/)
  })

  it('is told by arguments', () => {
    const wishes = {
      trace_threshold: 40,
      trace_color: '#112233',
      trace_invert: true,
      trace_smoothness: 75,
      trace_speckles: 5,
    }
    const args = potraceArgs('a.pgm', wishes).join(' ')
    assert.match(args, /--blacklevel 0\.4 --alphamax 1\.000 --turdsize 5 --color #112233 --invert a\.pgm$/)
  })
})

const busy = await photo(80, 40).png().toBuffer()
const words = ({ files: [file] }: Made): string => file!.toString()
const traced = (given: unknown, more = {}) => proof({ sample: busy, given, with: more, see: words })
/** Outlines: whatever changes the picture changes them. */
const changed = Object.fromEntries(
  Object.entries({ ...pictures.sizeProofs, ...pictures.changeProofs, image_sharpen: pictures.sharpenProof }).map(
    ([name, { shows: _, on: __, ...each }]) => [
      name,
      { ...each, sample: busy, ...(each.refused ? {} : { see: words }) },
    ],
  ),
)
/** Ever more red from left to right. */
const reddening = await sharpLibrary(
  Buffer.from(Array.from({ length: 80 * 40 * 3 }, (_, at) => (at % 3 === 0 ? ((at / 3) % 80) * 3 : 110))),
  { raw: { width: 80, height: 40, channels: 3 } },
)
  .png()
  .toBuffer()
optionProofs(potrace, table, {
  files: { png },
  proofs: {
    ...changed,
    image_grayscale: proof({ sample: busy, given: true, idle: 'tracing knows no colours anyway' }),
    // Strong colours are cut off, and no longer as bright as they were.
    image_saturation: proof({ sample: reddening, given: 400, see: words }),
    'auto-orient': proof({ on: { from: ['png'] }, sample: pictures.held, given: false, see: words }),
    background: proof({ on: { from: ['png'] }, sample: pictures.clear, given: '#000000', see: words }),
    strip: proof({
      on: { from: ['png'] },
      sample: pictures.telling,
      given: false,
      idle: 'a drawing tells nothing of the picture',
    }),
    trace_threshold: traced(40),
    trace_smoothness: traced(0),
    trace_speckles: traced(50),
    trace_color: traced('#ff0000'),
    trace_invert: traced(true),
  },
})
