import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { options } from '../option.ts'
import { resolve } from '../resolve.ts'
import * as page from './page.ts'

const { pdf_page_size, pdf_orientation, pdf_image_alignment, pdf_margin, enlarge_images_to_fit } = page
const { merge_bookmarks, merge_pages } = page
const onPages = { pdf_page_size, pdf_orientation, pdf_image_alignment, pdf_margin, enlarge_images_to_fit }
const set = options({ ...onPages, merge_bookmarks, merge_pages })

describe('the vocabulary of pages', () => {
  it('takes what existing clients send', () => {
    const { issues, ignored, values } = resolve(set, {
      pdf_page_size: '1240.2x1753.95',
      pdf_orientation: 'landscape',
      pdf_image_alignment: 'center',
      pdf_margin: '50',
      enlarge_images_to_fit: 'false',
    })
    assert.deepEqual([issues, ignored], [[], []])
    assert.deepEqual(
      [values.pdf_image_alignment, values.pdf_margin, values.enlarge_images_to_fit],
      ['Center', { amount: 50, unit: 'px' }, false],
    )
  })

  it('lets what is about a page size count only where there is one', () => {
    const given = { enlarge_images_to_fit: false, pdf_orientation: 'portrait', pdf_image_alignment: 'Top' }
    for (const more of [{}, { pdf_page_size: 'same-as-image' }]) {
      const { ignored, issues } = resolve(set, { ...given, ...more })
      assert.deepEqual([ignored.map(({ name }) => name).sort(), issues], [Object.keys(given).sort(), []])
    }
  })

  it('reads pages of each file', () => {
    const read = (list: string): boolean => resolve(set, { merge_pages: list }).issues.length === 0
    for (const list of ['1', '1-3;2;all', ';;5-', '3-1, 7 ; all', '2-']) assert.ok(read(list), list)
    for (const list of ['-3', 'a', '1-2-3', '1,,2', '1;x', '1:2', 'all,1', '1000000']) assert.ok(!read(list), list)
  })
})
