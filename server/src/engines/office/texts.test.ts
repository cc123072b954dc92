import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { delimiterOf, encodingOf, tableToRead, tableToWrite, textToWrite } from './texts.ts'

describe('the delimiter of a table', () => {
  for (const [text, expected] of Object.entries({
    'a,b\nc,d\n': 'comma',
    'a;b\n1,5;2,5\n': 'semicolon',
    'a\tb, c\nd\te\n': 'tab',
    '"a,b"|c\n"d,e"|f\n': 'pipe',
    'a:b\r\nc:d\r\n': 'colon',
    'only one column\nof words\n': 'comma',
    '': 'comma',
  }))
    it(`of ${JSON.stringify(text)} is a ${expected}`, () => {
      assert.equal(delimiterOf(Buffer.from(text), 'utf-8', 'double'), expected)
    })
})

describe('the encoding of a text', () => {
  it('is told by its mark, else it is UTF-8 if it can be', () => {
    assert.equal(encodingOf(Buffer.from([0xff, 0xfe, 0x61, 0])), 'utf-16')
    assert.equal(encodingOf(Buffer.from('ä')), 'utf-8')
    assert.equal(encodingOf(Buffer.from('ä').subarray(0, 1)), 'utf-8')
    assert.equal(encodingOf(Buffer.from('\u00e4 is', 'latin1')), 'windows-1252')
  })
})

describe('the words for LibreOffice', () => {
  const table = { delimiter: 'semicolon', encoding: 'utf-8', quote: 'single' } as const
  it('are numbers and switches', () => {
    assert.equal(tableToRead(table), '59,39,76,1,,0,false,true')
    const wanted = { ...table, quoteAll: true, formatted: true, sheet: 2 }
    assert.equal(tableToWrite(wanted), '59,39,76,1,,0,true,false,true,false,false,2')
    assert.equal(textToWrite('iso-8859-1'), 'ISO_8859_1,LF,,,false')
  })
})
