import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { colourAt } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { svgo } from './svgo.ts'

const table = await bench(svgo)
const { make } = table
const curve = Array.from(
  { length: 40 },
  (_, i) => `L ${(i * 1.987_654_321).toFixed(6)} ${(20 + 15 * Math.sin(i)).toFixed(6)}`,
)
const svg = Buffer.from(`<?xml version="1.0"?>
<!-- made by hand -->
<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" viewBox="0 0 80 40">
  <metadata>somebody</metadata>
  <script>alert(1)</script>
  <rect x="0" y="0" width="40" height="40" fill="#ff0000"/>
  <path d="M 0 20 ${curve.join(' ')}" fill="none" stroke="#0000ff"/>
</svg>`)
const compress = async (given: Record<string, unknown> = {}, of = svg): Promise<string> =>
  (await make('compress', { ext: 'svg', bytes: of }, 'svg', given)).files[0]!.toString()

engineContract(svgo, table, {
  files: { svg, svgz: gzipSync(svg) },
  async opens(bytes, ext) {
    const plain = ext === 'svgz' ? gunzipSync(bytes) : bytes
    assert.equal((await sharpLibrary(plain).metadata()).width, 80)
    assert.equal(await colourAt(plain, 0.25, 0.1), '#ff0000')
  },
})

describe('compressing a drawing', () => {
  it('makes it smaller and keeps how it looks', async () => {
    const made = await compress()
    assert.ok(made.length < svg.length)
    assert.doesNotMatch(made, /somebody|made by hand/)
    assert.match(made, /alert/)
  })

  it('obeys its options', async () => {
    assert.match(await compress({ strip: false }), /somebody/)
    assert.doesNotMatch(await compress({ svg_remove_scripts: true }), /alert/)
    assert.ok((await compress({ svg_precision: 0 })).length < (await compress({ svg_precision: 5 })).length)
    assert.ok((await compress({ svg_pretty: true })).split('\n').length > 3)
  })

  it('reaches a size or tells the smallest', async () => {
    const [coarse, fine] = [
      (await compress({ svg_precision: 0 })).length,
      (await compress({ svg_precision: 3 })).length,
    ]
    const between = Math.floor((coarse + fine) / 2)
    assert.ok((await compress({ compress_max_filesize: between / 1000 })).length <= between)
    const refused = compress({ compress_max_filesize: 0.05 })
    await assert.rejects(refused, (error) => error instanceof Failure && /smallest reachable size/.test(error.message))
  })

  it('gives the file back as it is when nothing smaller comes of it', async () => {
    const small = Buffer.from(await compress())
    const { files, told } = await make('compress', { ext: 'svg', bytes: small }, 'svg')
    assert.deepEqual([files[0]!.toString(), told.unchanged], [small.toString(), true])
  })

  it('refuses what is no drawing, and what would fill the memory', async () => {
    const failure = (error: unknown) =>
      error instanceof Failure && /not a readable SVG|memory|stopped|longer/.test(error.message)
    await assert.rejects(compress({}, Buffer.from('<svg><rect</svg>')), failure)
    await assert.rejects(compress({}, Buffer.from('hello')), failure)
    const bomb = gzipSync(Buffer.alloc(80 * 2 ** 20, 32))
    await assert.rejects(make('compress', { ext: 'svgz', bytes: bomb }, 'svgz'), failure)
  })
})

const fine = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><!-- Secret --><script>let a = 1</script><path d="M1.23456 2.34567 L30.98765 20.12345 Q40.55555 10.44444 70.33333 30.22222"/></svg>',
)
const words = ({ files: [file] }: Made): string => file!.toString()
optionProofs(svgo, table, {
  files: { svg: fine },
  proofs: {
    svg_precision: proof({ given: 0, see: pictures.bytesOf, shows: pictures.falling }),
    compress_max_filesize: proof({ given: '150B', see: pictures.bytesOf, shows: pictures.falling }),
    strip: proof({ given: false, see: (made) => words(made).includes('Secret'), shows: true }),
    svg_remove_scripts: proof({ given: true, see: (made) => words(made).includes('<script'), shows: false }),
    svg_pretty: proof({ given: true, see: (made) => words(made).includes('\n'), shows: true }),
  },
})
