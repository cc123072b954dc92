/** Flat OpenDocument files, written by hand: what all samples of office documents are made of. */

const SPACES = Object.entries({
  office: 'office',
  text: 'text',
  table: 'table',
  draw: 'drawing',
  svg: 'svg-compatible',
  style: 'style',
  fo: 'xsl-fo-compatible',
  presentation: 'presentation',
})
  .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')

interface Flat {
  kind: 'text' | 'spreadsheet' | 'presentation' | 'graphics'
  styles?: string
  masters?: string
  body: string
}

const ELEMENT = { text: 'text', spreadsheet: 'spreadsheet', presentation: 'presentation', graphics: 'drawing' } as const

export function flat({ kind, styles = '', masters = '', body }: Flat): Buffer {
  const mime = `application/vnd.oasis.opendocument.${kind}`
  const spaces = `${SPACES} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"`
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<office:document ${spaces} office:version="1.3" office:mimetype="${mime}">
<office:automatic-styles>${styles}</office:automatic-styles><office:master-styles>${masters}</office:master-styles>
<office:body><office:${ELEMENT[kind]}>${body}</office:${ELEMENT[kind]}></office:body></office:document>`)
}

const NEW_PAGE = `<style:style style:name="New" style:family="paragraph">
  <style:paragraph-properties fo:break-before="page"/></style:style>`

export const picture = (png: Uint8Array): string =>
  `<text:p><draw:frame svg:width="8cm" svg:height="6cm" text:anchor-type="as-char"><draw:image><office:binary-data>${Buffer.from(png).toString('base64')}</office:binary-data></draw:image></draw:frame></text:p>`

/** Pages with a heading and a line each. */
export const textOf = (pages: readonly string[], more = ''): Buffer =>
  flat({
    kind: 'text',
    styles: NEW_PAGE,
    body: `${pages
      .map((words, index) => {
        const heading = `<text:h text:outline-level="1">Chapter ${index + 1}</text:h>`
        return `<text:p${index > 0 ? ' text:style-name="New"' : ''}>${words}</text:p>${heading}`
      })
      .join('')}${more}`,
  })

const cell = (value: string | number): string =>
  typeof value === 'number'
    ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
    : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`

export const sheetsOf = (sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>): Buffer =>
  flat({
    kind: 'spreadsheet',
    body: Object.entries(sheets)
      .map(
        ([name, rows]) =>
          `<table:table table:name="${name}">${rows
            .map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`)
            .join('')}</table:table>`,
      )
      .join(''),
  })

const box = (words: string): string =>
  `<draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="5cm"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame>`

const visibility = (name: string): string =>
  `<style:style style:name="${name}" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="${name}"/></style:style>`

const PAGE = `<style:page-layout style:name="Layout"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout>`
const MASTER = '<style:master-page style:name="Master" style:page-layout-name="Layout"/>'

/** Each slide has a note that says so. */
export const slidesOf = (slides: readonly { words: string; hidden?: true }[]): Buffer =>
  flat({
    kind: 'presentation',
    styles: `${PAGE}${visibility('hidden')}${visibility('visible')}`,
    masters: MASTER,
    body: slides
      .map(
        ({ words, hidden }) =>
          `<draw:page draw:style-name="${hidden ? 'hidden' : 'visible'}" draw:master-page-name="Master">${box(words)}<presentation:notes><draw:frame presentation:class="notes" svg:x="2cm" svg:y="14cm" svg:width="16cm" svg:height="10cm"><draw:text-box><text:p>Note on ${words}</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>`,
      )
      .join(''),
  })

export const drawingOf = (words: string): Buffer =>
  flat({
    kind: 'graphics',
    styles: PAGE,
    masters: MASTER,
    body: `<draw:page draw:master-page-name="Master">${box(words)}</draw:page>`,
  })
