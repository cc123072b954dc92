import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inches, planFor, type Wishes } from './settings.ts'

const usual: Wishes = { viewport_height: 800, initial_delay: 0, hide_cookie: false, use_print_stylesheet: false }
const printed = (wishes: Partial<Wishes>) => {
  const { output } = planFor('html', 'pdf', { ...usual, ...wishes })
  assert.ok(output.as === 'pdf')
  return output
}

describe('a margin', () => {
  it('is pixels, or has a unit', () => {
    const table: [string, number][] = [
      ['0', 0],
      ['0px', 0],
      ['96', 1],
      ['48px', 0.5],
      ['25.4mm', 1],
      ['2.54 CM', 1],
      ['1in', 1],
      ['36pt', 0.5],
    ]
    for (const [given, expected] of table) assert.equal(inches(given), expected, given)
  })
})

describe('a plan', () => {
  it('lays a sheet of fixed size out for the viewport only when one is given', () => {
    assert.equal(printed({}).layoutWidth, null)
    assert.equal(printed({ viewport_width: 900 }).layoutWidth, 900)
    assert.equal(printed({ page_size: 'auto' }).layoutWidth, 1280)
  })

  it('knows sheets by their names', () => {
    const { sheet } = printed({ page_size: 'letter' })
    assert.deepEqual([sheet.size, sheet.width.toFixed(2), sheet.height.toFixed(2)], ['fixed', '8.50', '11.00'])
    assert.equal(printed({ page_size: 'css' }).sheet.size, 'css')
  })

  it('leaves no blanks in a list of pages', () => assert.equal(printed({ page_range: ' 1 - 3, 5' }).range, '1-3,5'))

  it('calls pictures as browsers do', () => {
    assert.equal(planFor('mhtml', 'jpg', { ...usual, quality: 7 }).output.as, 'jpeg')
  })
})
