/**
 * Prepares a flat spreadsheet that LibreOffice wrote for printing: hides all sheets but one, fits pages to the width. Runs
 * inside a box and imports nothing of ours: sheets-inside.ts FROM TO SHEET FIT (a number or 0; `width` or anything else).
 * Ends with 3 when there is no such sheet. Byte for byte what it does not change stays as it is.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const [from = '', to = '', sheet = '0', fit = ''] = process.argv.slice(2)
const HIDDEN =
  '<style:style style:name="only-one" style:family="table"><style:table-properties table:display="false"/></style:style>'

/** Charts have tables of their own, inside the sheets. */
function hideOthers(text: string, wanted: number): string {
  let depth = 0
  let sheets = 0
  const shown = text.replaceAll(/<table:table(?=[ >])[^>]*>|<\/table:table>/g, (tag) => {
    if (tag.startsWith('</')) {
      depth -= 1
      return tag
    }
    const isSheet = depth === 0
    if (!tag.endsWith('/>')) depth += 1
    if (!isSheet) return tag
    sheets += 1
    if (sheets === wanted) return tag
    return tag
      .replace(/ table:style-name="[^"]*"/, '')
      .replace('<table:table', '<table:table table:style-name="only-one"')
  })
  if (wanted > sheets) process.exit(3)
  const styles = '<office:automatic-styles>'
  return shown.replace(styles, styles + HIDDEN)
}

const fitWidth = (text: string): string =>
  text.replaceAll(/<style:page-layout-properties[^>]*>/g, (tag) =>
    tag
      .replaceAll(/ style:scale-to(?:-pages|-X|-Y)?="[^"]*"/g, '')
      .replace(
        '<style:page-layout-properties',
        '<style:page-layout-properties style:scale-to-X="1" style:scale-to-Y="0"',
      ),
  )

// One letter a byte: nothing here is beyond ASCII, and nothing else may change.
const text = readFileSync(from, 'latin1')
const chosen = sheet === '0' ? text : hideOthers(text, Number(sheet))
writeFileSync(to, fit === 'width' ? fitWidth(chosen) : chosen, 'latin1')
