import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compressArgs, distillArgs, factor, rewriteArgs, tiffArgs } from './args.ts'

describe('the arguments of Ghostscript', () => {
  const all = [
    compressArgs({ profile: 'ebook' }, 'in.pdf', 'out.pdf'),
    rewriteArgs({ archive: '2b', inert: true, gray: true }, 'in.pdf', 'out.pdf'),
    distillArgs(true, 'in.eps', 'out.pdf'),
    tiffArgs({ kind: 'color', dpi: 150, compression: 'lzw' }, 'in.pdf', 'page.tiff'),
  ]

  it('always close it in, and end with the file it reads', () => {
    for (const args of all) {
      assert.ok(args.includes('-dSAFER') && args.includes('-dBATCH') && args.includes('-dNOPAUSE'))
      assert.match(args.at(-1)!, /^in\./)
    }
  })

  it('say what was asked for', () => {
    const says = (args: readonly string[], ...parts: string[]) => {
      for (const part of parts) assert.ok(args.includes(part), `${part} is not in ${args.join(' ')}`)
    }
    says(compressArgs({ profile: 'screen', dpi: 90 }, 'a', 'b'), '-dPDFSETTINGS=/screen', '-dColorImageResolution=90')
    says(compressArgs({ profile: 'ebook', gray: true }, 'a', 'b'), '-sColorConversionStrategy=Gray')
    says(rewriteArgs({ archive: '3b', inert: false, gray: false }, 'a', 'b'), '-dPDFA=3')
    says(rewriteArgs({ archive: null, inert: true, gray: false }, 'a', 'b'), '-dPreserveAnnots=false')
    says(tiffArgs({ kind: 'bw', dpi: 100, compression: 'g4' }, 'a', 'b'), '-sDEVICE=tiffscaled', '-r200')
    assert.ok(!distillArgs(false, 'a', 'b').includes('-dEPSCrop'))
  })

  it('count qualities as libjpeg does', () => {
    const table: [number, number][] = [
      [100, 0.01],
      [90, 0.2],
      [75, 0.5],
      [50, 1],
      [25, 2],
      [1, 50],
    ]
    for (const [quality, expected] of table) assert.equal(factor(quality), expected)
  })
})
