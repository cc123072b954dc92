/** What is sent for the files of a merge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OptionDescriptor } from '@reforge/sdk'
import type { Subject } from '../../tools/subject.ts'
import { type Item, isPages, pagesOf, recipeOf, turned } from './items.ts'

const item = (format: string, more: Partial<Item> = {}): Item => ({
  subject: {
    id: format,
    format,
    family: '',
    name: `a.${format}`,
    size: 1,
    source: { kind: 'link', url: 'https://a/' },
  } as Subject,
  turn: 0,
  pages: '',
  ...more,
})
const descriptor = {
  engines: [],
  options: [
    { name: 'merge_pages', conditions: [] },
    { name: 'merge_bookmarks', conditions: [] },
  ],
} as unknown as OptionDescriptor

test('the order of the files is the order of the inputs', () => {
  const { task, more } = recipeOf([item('png'), item('pdf')], 'pdf', { values: {} }, descriptor)(['one', 'two'])
  assert.deepEqual(task, { operation: 'merge', input: ['one', 'two'], output_format: 'pdf' })
  assert.deepEqual(more, {})
})

test('what is rotated is rotated by a task of its own, in its place', () => {
  const items = [item('pdf', { turn: 90 }), item('jpg'), item('heic', { turn: 270 })]
  const { task, more } = recipeOf(items, 'pdf', { values: { merge_bookmarks: false } }, descriptor)(['a', 'b', 'c'])
  assert.deepEqual(task.input, ['turn-1', 'b', 'turn-3'])
  assert.deepEqual(more, {
    'turn-1': { operation: 'convert', input: 'a', output_format: 'pdf', options: { pdf_rotate: '90' } },
    'turn-3': { operation: 'convert', input: 'c', output_format: 'png', options: { image_rotate: 270 } },
  })
})

test('pages are asked for only where somebody chose some', () => {
  assert.equal(pagesOf([item('pdf'), item('png')]), undefined)
  assert.equal(pagesOf([item('pdf', { pages: '1 - 3, 5' }), item('png'), item('pdf', { pages: '2-' })]), '1-3,5;all;2-')
  const { task } = recipeOf([item('pdf', { pages: '2' }), item('pdf')], 'gif', { values: {} }, undefined)(['a', 'b'])
  assert.equal('options' in task, false)
})

test('pages are numbers and spans', () => {
  for (const good of ['', '1', '1-3, 5', '7-', 'all', '3-1,']) assert.ok(isPages(good), good)
  for (const bad of ['x', '1;2', '-', '1--2']) assert.ok(!isPages(bad), bad)
})

test('four quarter turns are none', () => {
  assert.equal(turned(turned(turned(turned(0)))), 0)
})
