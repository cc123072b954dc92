import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { drawsTooMuch } from './drawing.ts'

const svg = (inside: string, before = ''): Buffer =>
  Buffer.from(
    `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`,
  )

/** Each level shows the one before ten times. */
const levels = (count: number, shown: (id: string) => string): string =>
  Array.from({ length: count }, (_, level) => `<g id="l${level + 1}">${shown(`l${level}`).repeat(10)}</g>`).join('')

describe('a drawing', () => {
  it('may show a thing many times', () => {
    const glyphs = Array.from({ length: 20_000 }, (_, at) => `<use xlink:href="#glyph-${at % 90}" x="${at}"/>`).join('')
    const symbols = Array.from({ length: 90 }, (_, at) => `<symbol id="glyph-${at}"><path d="M0 0"/></symbol>`).join('')
    assert.equal(drawsTooMuch(svg(`<defs>${symbols}</defs>${glyphs}`)), false)
    assert.equal(drawsTooMuch(svg(levels(4, (id) => `<use href="#${id}"/>`))), false)
  })

  it('may have as many elements as it likes', () =>
    assert.equal(drawsTooMuch(svg(`${'<rect fill="url(#g)"/>'.repeat(100_000)}<linearGradient id="g"/>`)), false))

  it('may use short names for long words, as Illustrator does', () => {
    const names = '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY a "&ns_svg;">]>'
    assert.equal(drawsTooMuch(svg('<g a="&a;&amp;"/>'.repeat(100), names)), false)
  })

  it('may not show what shows what shows others, a million times over', () => {
    for (const shown of [
      (id: string) => `<use xlink:href="#${id}"/>`,
      (id: string) => `<use x='1' href = '#${id}'></use>`,
      (id: string) => `<rect fill="url(#${id})"/>`,
      (id: string) => `<rect style="mask: url('#${id}')"/>`,
    ])
      assert.equal(drawsTooMuch(svg(`<path id="l0"/>${levels(9, shown)}`)), true, shown('x'))
  })

  it('may not hide that in comments, in abbreviations or in sixteen bits', () => {
    const bomb = `<path id="l0"/>${levels(9, (id) => `<use href="#${id}"/><!-- </g> -->`)}`
    assert.equal(drawsTooMuch(svg(bomb)), true)
    assert.equal(
      drawsTooMuch(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(svg(bomb).toString(), 'utf16le')])),
      true,
    )
    const uses = `<!DOCTYPE svg [<!ENTITY u '<use href="#l0"/>'>]>`
    assert.equal(drawsTooMuch(svg(`<path id="l0"/>${levels(9, (id) => `<use href="#${id}"/>`)}&u;`, uses)), true)
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
    assert.equal(drawsTooMuch(svg('<text>&e9;</text>', `<!DOCTYPE svg [<!ENTITY e0 "ha">${laughs}]>`)), true)
  })

  it('may not hide that in letters written as numbers, or in other words for the same', () => {
    for (const shown of [
      (id: string) => `<use href="&#35;${id}"/>`,
      (id: string) => `<use href="&#x00000000023;${id}"/>`,
      (id: string) => `<use href="#&#108;${id.slice(1)}"/>`,
      (id: string) => `<svg:use xlink:href=' #${id} '/>`,
      (id: string) => `<é:use href='#${id}'/>`,
      (id: string) => `<rect fill="url(&#35;${id})"/>`,
      (id: string) => `<rect style="fill:URL( '#${id}' )"/>`,
      (id: string) => `<rect style="fill:u\\72l(#${id})"/>`,
      (id: string) => `<rect style="fill:url(\\23 ${id})"/>`,
      (id: string) => `<rect style="fill:u/**/rl(x);mask:/* */url(#${id})"/>`,
    ])
      assert.equal(drawsTooMuch(svg(`<path id="l0"/>${levels(9, shown)}`)), true, shown('l0'))
  })

  const rules = (rule: (id: string) => string): string =>
    Array.from({ length: 9 }, (_, level) => rule(`l${level}`)).join('')
  const classes = `<path id="l0"/>${levels(9, (id) => `<rect class="some ${id}"/>`)}`

  it('may not have a style sheet do it', () => {
    for (const sheet of [
      rules((id) => `.${id}{fill:url(#${id})}`),
      `<![CDATA[${rules((id) => `rect.x, g > rect.${id} { mask: url("#${id}") }`)}]]>`,
      `@media screen { ${rules((id) => `.${id}{fill:url(#${id})}`)} }`,
      rules((id) => `&#46;${id}{fill:url(#${id})}`),
      rules((id) => `[class~=${id}]{fill:url(#${id})}`),
      '@import "data:text/css,.l0%7B%7D";',
    ])
      assert.equal(drawsTooMuch(svg(`<style>${sheet}</style>${classes}`)), true, sheet)
    assert.equal(drawsTooMuch(svg(classes)), false)
    assert.equal(drawsTooMuch(svg(classes, '<?xml-stylesheet href="data:text/css,.l0%7B%7D"?>')), true)
    assert.equal(drawsTooMuch(svg(classes, '<?xml-stylesheet href="look.css"?>')), false)
    const listed = '<!DOCTYPE svg [<!ATTLIST rect fill CDATA "url(#l0)">]>'
    assert.equal(drawsTooMuch(svg(classes, listed)), true)
  })

  it('may have a style sheet, as Illustrator makes them', () => {
    const gradients = rules((id) => `.${id}{fill:url(#g-${id})}`)
    const shapes = Array.from({ length: 5000 }, (_, at) => `<path class="l${at % 9}"/>`).join('')
    const defined = rules((id) => `<linearGradient id="g-${id}"><stop/><stop/></linearGradient>`)
    assert.equal(drawsTooMuch(svg(`<style>${gradients}</style><defs>${defined}</defs>${shapes}`)), false)
    const plain = '<!DOCTYPE svg [<!ATTLIST svg xmlns:xlink CDATA #FIXED "http://www.w3.org/1999/xlink">]>'
    assert.equal(drawsTooMuch(svg(shapes, plain)), false)
  })

  it('may hold others as pictures, but none that draws too much', () => {
    const holding = (inner: Buffer): Buffer =>
      svg(`<image href="data:image/svg+xml;base64,${inner.toString('base64')}"/>`.repeat(3))
    const bomb = svg(`<path id="l0"/>${levels(9, (id) => `<use href="#${id}"/>`)}`)
    assert.equal(drawsTooMuch(holding(svg('<path/>'.repeat(100)))), false)
    assert.equal(drawsTooMuch(holding(bomb)), true)
    assert.equal(drawsTooMuch(holding(holding(bomb))), true)
    assert.equal(drawsTooMuch(svg(`<image href="data:image/svg+xml,${encodeURIComponent(bomb.toString())}"/>`)), true)
    assert.equal(drawsTooMuch(svg('<image href="data:image/png;base64,iVBORw0KGgo="/>')), false)
    const rose = holding(svg('<path/>'.repeat(40_000)))
    assert.equal(drawsTooMuch(rose), true)
  })

  it('may be written in any letters that drawings are written in', () => {
    const bomb = svg(`<path id="l0"/>${levels(9, (id) => `<use href="#${id}"/>`)}`).toString()
    const wide = Buffer.from(bomb, 'utf16le')
    assert.equal(drawsTooMuch(wide), true)
    assert.equal(drawsTooMuch(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()])), true)
    const accents = `<path id="l0"/>${levels(9, (id) => `<use href="#&#233;${id}"/>`).replaceAll('id="', 'id="é')}`
    assert.equal(drawsTooMuch(svg(accents)), true)
    for (const [code, hides] of Object.entries({ 'UTF-8': false, 'ISO-8859-1': false, 'UTF-7': true, IBM037: true }))
      assert.equal(drawsTooMuch(svg('<path/>', `<?xml version="1.0" encoding="${code}"?>`)), hides, code)
  })

  it('may show itself: nothing comes of it', () => {
    assert.equal(drawsTooMuch(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')), false)
    // An abbreviation may not: no XML is like that.
    assert.equal(drawsTooMuch(svg('&a;', '<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>')), true)
  })

  it('is looked at without trouble, whatever it is', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '>', 'g', ' id="a"', '</', '/>', '<use href="#a">', '&a;', '"')),
        (parts) => {
          assert.equal(typeof drawsTooMuch(Buffer.from(parts.join(''))), 'boolean')
        },
      ),
    ))
})
