import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engine } from '../../test/support/declared.ts'
import { createCatalog } from './catalog.ts'
import type { Engine } from './engine.ts'
import { EXTS, type Ext } from './formats.ts'
import { type OptionSet, option, options } from './option.ts'
import { optionsFor, routeTitle } from './route.ts'

const width = option.integer({ hint: 'Width' })
const strip = option.boolean({ hint: 'Strip', default: true, neutral: false })
const dpi = option.integer({ hint: 'Resolution', default: 150 })
const fit = option.choice({ a4: 'A4' }, { hint: 'Page' })
const picture = options({ width, strip })

const pictures = engine(
  'pictures',
  { from: ['jpg', 'png', 'webp'], to: ['jpg', 'png', 'webp'], options: picture },
  { does: 'crop', from: ['jpg', 'png', 'webp'], to: ['jpg', 'png', 'webp'] },
  { does: 'compress', from: ['jpg', 'png'], to: 'same' },
)
const heif = engine('heif', { from: ['heic'], to: ['png', 'jpg'], options: picture }, { from: ['png'], to: ['heic'] })
const office = engine('office', { from: ['docx', 'odt'], to: ['pdf', 'html'], cost: 2, options: options({ width }) })
const pdf = engine(
  'pdf',
  { from: ['pdf'], to: ['png'], options: options({ dpi, strip }) },
  { from: ['pdf'], to: ['txt'], terminal: true },
  { does: 'compress', from: ['pdf'], to: 'same' },
  { does: 'merge', from: ['pdf'], to: 'same' },
)
const bind = engine(
  'bind',
  { from: ['jpg', 'png'], to: ['pdf'], options: options({ fit }) },
  { does: 'merge', from: ['jpg', 'png'], to: ['pdf'], options: options({ fit }) },
)
const pandoc = engine('pandoc', { from: ['txt', 'html', 'md'], to: ['html', 'md', 'docx'], cost: 3 })
const all = [pictures, heif, office, pdf, bind, pandoc]
const catalog = createCatalog(all)

const title = (...asked: Parameters<typeof catalog.route>): string | null => {
  const route = catalog.route(...asked)
  return route && routeTitle(route)
}

const engineOf = (id: string, from: Ext, to: Ext, set: OptionSet): Engine =>
  engine(id, { from: [from], to: [to], options: set })

describe('a conversion', () => {
  it('is direct where a block does it', () => {
    assert.equal(title('convert', 'jpg', 'webp'), 'jpg → webp (pictures)')
    assert.equal(title('convert', 'jpg', 'jpg'), 'jpg → jpg (pictures)')
  })

  it('goes through hubs, at most three hops, and costs ten for every further hop', () => {
    assert.equal(title('convert', 'heic', 'webp'), 'heic → png (heif) → webp (pictures)')
    assert.equal(title('convert', 'docx', 'webp'), 'docx → pdf (office) → png (pdf) → webp (pictures)')
    assert.equal(catalog.route('convert', 'docx', 'webp')?.cost, 2 + 1 + 1 + 20)
    assert.equal(catalog.route('convert', 'md', 'webp'), null, 'md → docx → pdf → png → webp is four hops')
  })

  it('never stops at a format that is no hub', () => {
    const odd = createCatalog([engine('a', { from: ['md'], to: ['jpg'] }), engine('b', { from: ['jpg'], to: ['gif'] })])
    assert.equal(odd.route('convert', 'md', 'gif'), null)
  })

  it('puts a photograph into a document as a JPEG, and anything else as a PNG', () => {
    assert.equal(title('convert', 'heic', 'pdf'), 'heic → jpg (heif) → pdf (bind)')
    assert.equal(title('convert', 'heic', 'webp'), 'heic → png (heif) → webp (pictures)')
    assert.equal(title('convert', 'webp', 'pdf'), 'webp → png (pictures) → pdf (bind)')
    const merger = createCatalog([pictures, heif, engine('m', { does: 'merge', from: ['png', 'jpg'], to: ['pdf'] })])
    const stops = (from: Ext) => merger.route('merge', [from, 'jpg'], 'pdf')?.before[0]?.map(({ to }) => to)
    assert.deepEqual([stops('heic'), stops('webp')], [['jpg'], ['png']])
    const plain = engine('plain', { from: ['heic'], to: ['png'] })
    const route = createCatalog([plain, bind]).route('convert', 'heic', 'pdf')
    assert.equal(route && routeTitle(route), 'heic → png (plain) → pdf (bind)')
  })

  it('never goes out of a terminal block', () => {
    const grab = engine('grab', { from: ['mp4'], to: ['png'], terminal: true })
    const one = createCatalog([grab, pictures])
    assert.deepEqual(one.outputs('convert', 'mp4'), ['png'])
    const slow = engine('slow', { from: ['mp4'], to: ['png'], cost: 9 })
    assert.equal(createCatalog([grab, slow, pictures]).route('convert', 'mp4', 'webp')?.hops[0]?.engine.id, 'slow')
  })

  it('does not make a format of itself by a detour', () => {
    assert.equal(catalog.route('convert', 'heic', 'heic'), null)
    assert.ok(!catalog.outputs('convert', 'docx').includes('docx'))
  })

  it('takes the cheaper block, and the first of equals', () => {
    const cheap = engine('cheap', { from: ['jpg'], to: ['png'], cost: 1 })
    const dear = engine('dear', { from: ['jpg'], to: ['png'], cost: 5 })
    const twin = engine('twin', { from: ['jpg'], to: ['png'], cost: 1 })
    const three = createCatalog([dear, cheap, twin])
    assert.equal(three.route('convert', 'jpg', 'png')?.hops[0]?.engine.id, 'cheap')
    assert.equal(three.route('convert', 'jpg', 'png', 'dear')?.hops[0]?.engine.id, 'dear')
    assert.equal(three.route('convert', 'jpg', 'png', 'nobody'), null)
  })

  it('keeps to a pinned engine in at least one hop', () => {
    assert.equal(title('convert', 'docx', 'html'), 'docx → html (office)')
    const pinned = catalog.route('convert', 'docx', 'png', 'pictures')
    assert.ok(pinned?.hops.some((hop) => hop.engine.id === 'pictures'))
    assert.equal(catalog.route('convert', 'docx', 'html', 'heif'), null)
  })

  it('names only engines that do it without a detour, the usual one first', () => {
    const named = (from: Ext, to: Ext) => catalog.describe('convert', from, to)?.engines.map(({ value }) => value)
    assert.deepEqual(named('jpg', 'png'), ['pictures'])
    assert.deepEqual(named('docx', 'html'), ['office'])
    assert.deepEqual(named('docx', 'png'), ['pdf', 'office'])
  })
})

describe('a capability on request', () => {
  const plain: Engine = {
    id: 'plain',
    title: 'Plain',
    tools: [],
    can: [{ does: 'convert', from: ['png'], to: ['pdf'], cost: 9, options: {}, run: async () => [] }],
  }
  const reader: Engine = {
    id: 'reader',
    title: 'Reader',
    tools: [],
    can: [
      {
        does: 'convert',
        from: ['png', 'jpg'],
        to: ['pdf'],
        cost: 1,
        onRequest: true,
        options: { dpi },
        run: async () => [],
      },
    ],
  }
  const catalog = createCatalog([plain, reader])

  it('is taken only when its engine is named', () => {
    assert.equal(catalog.route('convert', 'png', 'pdf')?.hops[0]?.engine.id, 'plain')
    assert.equal(catalog.route('convert', 'png', 'pdf', 'reader')?.hops[0]?.engine.id, 'reader')
    assert.equal(catalog.route('convert', 'jpg', 'pdf'), null)
    assert.deepEqual(catalog.outputs('convert', 'jpg'), [])
  })

  it('is described when its engine is named, and named where the usual one is described', () => {
    assert.deepEqual(catalog.describe('convert', 'png', 'pdf')?.options, [])
    assert.deepEqual(
      catalog.describe('convert', 'png', 'pdf')?.engines.map(({ value }) => value),
      ['plain', 'reader'],
    )
    assert.deepEqual(
      catalog.describe('convert', 'png', 'pdf', 'reader')?.options.map(({ name }) => name),
      ['dpi'],
    )
    assert.equal(catalog.describe('convert', 'jpg', 'pdf'), null)
    assert.deepEqual(catalog.describe('convert', 'jpg', 'pdf', 'reader')?.engines, [
      { value: 'reader', label: 'Reader' },
    ])
  })
})

describe('compressing, cropping and trimming', () => {
  it('is one hop where a block does it', () => {
    assert.equal(title('crop', 'png', 'jpg'), 'png → jpg (pictures)')
    assert.equal(title('compress', 'pdf', 'pdf'), 'pdf → pdf (pdf)')
  })

  it('converts first where the format cannot be worked on', () => {
    assert.equal(title('crop', 'heic', 'jpg'), 'heic → png (heif) → jpg (pictures)')
    assert.equal(title('compress', 'heic', 'jpg'), 'heic → jpg (heif) → jpg (pictures)')
    assert.equal(title('compress', 'docx', 'pdf'), 'docx → pdf (office) → pdf (pdf)')
  })

  it('crops an image there and back, but never a document', () => {
    assert.equal(title('crop', 'heic', 'heic'), 'heic → png (heif) → png (pictures) → heic (heif)')
    const back = engine('back', { from: ['pdf'], to: ['docx'] }, { does: 'crop', from: ['pdf'], to: 'same' })
    assert.equal(createCatalog([office, back]).route('crop', 'docx', 'docx'), null)
  })

  it('does nothing after a compression', () => {
    assert.equal(catalog.route('compress', 'jpg', 'webp'), null)
  })

  it('lists without an output format only what needs none', () => {
    assert.deepEqual(catalog.inputs('compress'), ['jpg', 'pdf', 'png'])
    assert.deepEqual(catalog.outputs('compress', 'docx'), ['pdf'])
    assert.deepEqual(catalog.inputs('trim'), [])
  })
})

describe('a merge', () => {
  it('takes what one block takes', () => {
    const route = catalog.route('merge', ['jpg', 'png', 'jpg'], 'pdf')
    assert.equal(route?.hops[0]?.engine.id, 'bind')
    assert.deepEqual(route?.before, [[], [], []])
  })

  it('converts each input that the block does not take', () => {
    const route = catalog.route('merge', ['jpg', 'pdf', 'heic'], 'pdf')
    assert.equal(route?.hops[0]?.engine.id, 'pdf')
    assert.deepEqual(
      route?.before.map((hops) => hops.map((hop) => `${hop.from}-${hop.to}`)),
      [['jpg-pdf'], [], ['heic-jpg', 'jpg-pdf']],
    )
  })

  it('accepts images and pdf only', () => {
    assert.equal(catalog.route('merge', ['docx', 'pdf'], 'pdf'), null)
    assert.deepEqual(catalog.inputs('merge', 'pdf'), ['heic', 'jpg', 'pdf', 'png', 'webp'])
    assert.deepEqual(catalog.outputs('merge'), ['pdf'])
    assert.equal(catalog.route('merge', [], 'pdf'), null)
  })

  it('describes what any inputs would have, and ignores on a route what its inputs do not use', () => {
    assert.deepEqual(
      catalog.describe('merge', null, 'pdf')?.options.map((o) => o.name),
      ['fit'],
    )
    assert.deepEqual(Object.keys(catalog.route('merge', ['pdf', 'pdf'], 'pdf')?.elsewhere ?? {}), ['fit'])
    assert.equal(catalog.describe('merge', null, 'gif'), null)
    assert.deepEqual(
      catalog.describe('merge', null, 'pdf')?.engines.map(({ value }) => value),
      ['pdf', 'bind'],
    )
    assert.deepEqual(catalog.describe('merge', null, 'pdf', 'pdf')?.options, [])
  })

  it('gives an option of two inputs to both', () => {
    const route = catalog.route('merge', ['jpg', 'png', 'pdf'], 'pdf')
    const given = route?.before.flat().map((hop) => optionsFor(route, hop, { fit: 'a4' }))
    assert.deepEqual(given, [{ fit: 'a4' }, { fit: 'a4' }])
  })
})

describe('an option that is given everywhere', () => {
  it('reaches every hop that knows it', () => {
    const key = option.string({ hint: '', everywhere: true })
    const lock = engineOf('lock', 'pdf', 'png', options({ key }))
    const door = engineOf('door', 'djvu', 'pdf', options({ key }))
    const route = createCatalog([lock, door]).route('convert', 'djvu', 'png')
    assert.ok(route)
    assert.deepEqual(
      route.hops.map((hop) => optionsFor(route, hop, { key: 'k' })),
      [{ key: 'k' }, { key: 'k' }],
    )
  })
})

describe('the options of a route', () => {
  it('are those of all hops, the last ones first, and a shared one belongs to the last hop', () => {
    const route = catalog.route('convert', 'docx', 'webp')
    assert.ok(route)
    assert.deepEqual(Object.keys(route.options), ['width', 'strip', 'dpi'])
    const values = { width: 100, strip: true, dpi: 300 }
    assert.deepEqual(
      route.hops.map((hop) => optionsFor(route, hop, values)),
      [{ width: undefined }, { dpi: 300, strip: false }, { width: 100, strip: true }],
    )
  })

  it('are described with the pair they are for', () => {
    const { options: described, ...pair } = catalog.describe('convert', 'jpg', 'webp') ?? { options: [] }
    assert.deepEqual(pair, {
      sourceExt: 'jpg',
      targetExt: 'webp',
      operation: 'convert',
      engines: [{ value: 'pictures', label: 'pictures' }],
    })
    assert.deepEqual(
      described.map((o) => o.name),
      ['width', 'strip'],
    )
    assert.equal(catalog.describe('convert', 'jpg', 'docx'), null)
  })
})

describe('the lists', () => {
  it('are sorted, without doubles, and promise nothing that has no route', () => {
    for (const does of ['convert', 'compress', 'crop', 'merge'] as const) {
      for (const from of EXTS) {
        const outputs = catalog.outputs(does, from)
        assert.deepEqual(outputs, [...new Set(outputs)].sort())
        for (const to of EXTS) {
          assert.equal(catalog.route(does, from, to) !== null, outputs.includes(to), `${does} ${from} ${to}`)
          assert.equal(catalog.inputs(does, to).includes(from), outputs.includes(to), `${does} ${from} ${to}`)
        }
      }
    }
  })

  it('name every format that is taken or made', () => {
    assert.deepEqual(catalog.formats(), ['docx', 'heic', 'html', 'jpg', 'md', 'odt', 'pdf', 'png', 'txt', 'webp'])
    assert.deepEqual(createCatalog([]).formats(), [])
  })

  it('answers the same object for the same question', () => {
    assert.equal(catalog.inputs('convert'), catalog.inputs('convert'))
    assert.equal(catalog.route('convert', 'docx', 'png'), catalog.route('convert', 'docx', 'png'))
  })
  it('takes an input whole to the target of a merge where a step does nothing else', () => {
    const binding = { does: 'merge', from: ['jpg', 'png', 'pdf'], to: ['pdf'] } as const
    const pages = engine('pages', { from: ['webp'], to: ['pdf'], cost: 3, terminal: true }, binding)
    const route = createCatalog([pictures, pages]).route('merge', ['webp', 'png'], 'pdf')
    assert.deepEqual(
      route?.before.map((hops) => hops.map((hop) => `${hop.to} (${hop.engine.id})`)),
      [['pdf (pages)'], []],
    )
  })
})
