/** Which settings of a form count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveFields, effectiveValues, firstOf, type OptionField } from './conditions.ts'

const field = (name: string, more: Partial<OptionField> = {}): OptionField => ({
  name,
  hint: '',
  data_type: 'string',
  default_value: '',
  type: 'string',
  conditions: [],
  ...more,
})
const when = (name: string, value: string, required: boolean) => ({
  conditions: [{ name, required, meta: [{ value, label: value }] }],
})
const names = (fields: readonly OptionField[]) => fields.map(({ name }) => name)

test('a setting that needs another appears with it, by its value or by its default', () => {
  const fields = [field('mode'), field('depth', when('mode', 'deep', true)), field('on', { default_value: 'true' })]
  fields.push(field('follows', when('on', 'true', true)))
  assert.deepEqual(names(effectiveFields(fields, {})), ['mode', 'on', 'follows'])
  assert.deepEqual(names(effectiveFields(fields, { mode: 'deep', on: false })), ['mode', 'depth', 'on'])
})

test('a setting that must agree with another goes only when that one says otherwise', () => {
  const fields = [field('method'), field('quality', when('method', 'by_quality', false))]
  assert.deepEqual(names(effectiveFields(fields, {})), ['method', 'quality'])
  assert.deepEqual(names(effectiveFields(fields, { method: 'by_size' })), ['method'])
})

test('what needs something hidden is hidden too', () => {
  const fields = [field('a'), field('b', when('a', '1', true)), field('c', when('b', '1', true))]
  assert.deepEqual(names(effectiveFields(fields, { b: '1' })), ['a'])
  assert.deepEqual(names(effectiveFields(fields, { a: 1, b: '1' })), ['a', 'b', 'c'])
})

test('hidden and empty values are not sent', () => {
  const fields = [field('method'), field('quality', when('method', 'by_quality', false))]
  assert.deepEqual(effectiveValues(fields, { method: 'by_size', quality: 80 }), { method: 'by_size' })
  assert.deepEqual(effectiveValues(fields, { method: '', quality: 80 }), {})
})

test('a size to reach is always among the first', () => {
  const fields = [field('a'), field('b'), field('c'), field('size', { type: 'size' })]
  assert.deepEqual(names(firstOf(fields)), ['size', 'a', 'b'])
})
