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
