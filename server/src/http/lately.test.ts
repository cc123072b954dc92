import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCatalog } from '../catalog/catalog.ts'
import { DAY } from '../core/quota.ts'
import { engines } from '../engines/index.ts'
import type { UsageRow } from '../ports/metering.ts'
import { lookLately } from './lately.ts'

const catalog = createCatalog(engines)
const NOW = Date.parse('2030-06-02T15:00:00Z')
const sums = (about: Partial<UsageRow>): UsageRow => ({
  ...{ tasks: 1, failed: 0, seconds: 0, bytesIn: 0, bytesOut: 0 },
  ...about,
})
const look = (rows: UsageRow[]) => lookLately({ usage: async () => rows }, catalog, NOW)

describe('what went on lately', () => {
  test('is asked of everybody, from the beginning of yesterday to the end of today', async () => {
    const asked: unknown[] = []
    const usage = async (user: string | null, { from, to }: { from: number; to: number }) => {
      asked.push([user, from, to])
      return []
    }
    const { since } = await lookLately({ usage }, catalog, NOW)
    assert.deepEqual(asked, [[null, Date.parse('2030-06-01'), Date.parse('2030-06-01') + 2 * DAY]])
    assert.equal(since, '2030-06-01T00:00:00.000Z')
  })

  test('names the engines of the way, adds up what has the same, and begins with the most failures', async () => {
    const { failures, tasks, failed } = await look([
      sums({ operation: 'convert', from: 'png', format: 'jpg', tasks: 10, failed: 1 }),
      sums({ operation: 'convert', from: 'png', format: 'webp', tasks: 5, failed: 2 }),
      sums({ operation: 'convert', from: 'docx', format: 'png', tasks: 4, failed: 4 }),
      sums({ operation: 'merge', from: 'pdf', format: 'pdf', tasks: 7 }),
      sums({ operation: 'import/url', from: '', format: '', tasks: 9, failed: 1 }),
      sums({ operation: 'convert', from: 'gone', format: 'png', tasks: 1, failed: 1 }),
    ])
    assert.deepEqual([tasks, failed], [36, 9])
    const [first, second, ...rest] = failures
    assert.deepEqual([first?.failed, first?.engines.length], [4, 2])
    assert.deepEqual(second, { operation: 'convert', engines: ['sharp'], tasks: 15, failed: 3 })
    assert.deepEqual(
      rest.map(({ engines: none }) => none),
      [[], []],
    )
  })

  test('tells what took longest on average, not in sum', async () => {
    const { slowest } = await look([
      sums({ operation: 'convert', from: 'png', format: 'jpg', tasks: 100, seconds: 50 }),
      sums({ operation: 'convert', from: 'mov', format: 'mp4', tasks: 2, seconds: 30 }),
      sums({ operation: 'export/url', from: 'mp4', format: 'mp4', tasks: 2 }),
    ])
    assert.deepEqual(
      slowest.map(({ from, format, seconds }) => [from, format, seconds]),
      [
        ['mov', 'mp4', 15],
        ['png', 'jpg', 0.5],
      ],
    )
  })
})
