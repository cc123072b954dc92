import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkCells, repeatedCells } from './cells.ts'

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
const VALUE = 'office:value-type="float" office:value="1"'
const row = (times: number, ...cells: string[]): string =>
  `<table:table-row table:number-rows-repeated="${times}">${cells.join('')}</table:table-row>`
const cell = (times: number, what = VALUE): string =>
  `<table:table-cell table:number-columns-repeated="${times}" ${what}><text:p>1</text:p></table:table-cell>`

describe('the cells that come of repeating', () => {
  it('are counted wherever the text is cut', async () => {
    const text = row(10, cell(3), cell(5, 'table:formula="of:=[.A1]>2"')) + row(1, cell(1), cell(1))
    for (const size of [1, 7, 50, 10_000]) assert.equal(await repeatedCells(pieces(text, size)), 78)
  })

  it('are none in empty rows up to the end of the sheet', async () => {
    const usual = row(1, cell(1)) + row(1_048_575, cell(16_384, 'table:style-name="ce1"'))
    assert.equal(await repeatedCells(pieces(usual, 100)), 0)
    await checkCells('usual.ods', pieces(usual, 100))
  })

  it('are too many in a billion, by any prefix', async () => {
    const bomb = row(1_000_000, cell(1000)).replaceAll('table:', 't:')
    await assert.rejects(checkCells('bomb.ods', pieces(bomb, 100)), /"bomb\.ods" repeats its cells/)
  })
})
