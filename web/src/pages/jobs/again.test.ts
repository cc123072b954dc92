import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job, Task } from '@reforge/sdk'
import { againOf } from './again.ts'

const NOW = Date.UTC(2030, 0, 1)
const LATER = new Date(NOW + 1000).toISOString()
const EARLIER = new Date(NOW - 1000).toISOString()
const FILES = { files: [{ filename: 'a.txt', size: 1, format: 'txt', url: 'https://localhost/a' }] }

const task = (name: string, operation: string, payload: Task['payload'], more: Partial<Task> = {}): Task => ({
  id: `id-of-${name}`,
  name,
  operation,
  status: 'completed',
  ...(payload && { payload }),
  dependsOn: [],
  job: 'job',
  user: 'user',
  result: {},
  createdAt: EARLIER,
  startedAt: null,
  endedAt: null,
  updatedAt: EARLIER,
  expiresAt: LATER,
  ...more,
})

const job = (...tasks: Task[]): Job => ({
  id: 'job',
  tag: 'a tag',
  status: 'completed',
  user: 'user',
  tasks,
  result: {},
  createdAt: EARLIER,
  startedAt: null,
  endedAt: null,
  updatedAt: EARLIER,
  expiresAt: LATER,
  links: { self: '' },
})

const convert = task('work', 'convert', { input: 'up', output_format: 'pdf' })
const give = task('out', 'export/url', { input: ['work'] })

test('an upload whose file is still there is taken from the earlier run', () => {
  assert.deepEqual(againOf(job(task('up', 'import/upload', {}, { result: FILES }), convert, give), NOW), {
    body: {
      tag: 'a tag',
      tasks: {
        work: { operation: 'convert', input: 'id-of-up', output_format: 'pdf' },
        out: { operation: 'export/url', input: ['work'] },
      },
    },
    uploads: [],
    reused: ['up'],
    secrets: [],
  })
})

test('an upload whose file is gone is asked for again', () => {
  const again = againOf(job(task('up', 'import/upload', {}, { result: FILES, expiresAt: EARLIER }), convert), NOW)
  assert.deepEqual(again.uploads, ['up'])
  assert.deepEqual(again.body.tasks.up, { operation: 'import/upload' })
  assert.equal(again.body.tasks.work?.input, 'up')
})

test('content that was sent along is not in the record, so it becomes an upload', () => {
  const again = againOf(job(task('up', 'import/base64', { file: '', filename: 'a' }, { status: 'failed' })), NOW)
  assert.deepEqual(again.body.tasks, { up: { operation: 'import/upload' } })
})

test('what needs a secret that no record shows is named', () => {
  const hidden = task('out', 'export/sftp', { input: 'work', host: 'h', username: 'u', password: '***' })
  const pdf = task('locked', 'convert', { input: 'work', output_format: 'pdf', options: { password: '***' } })
  assert.deepEqual(againOf(job(convert, hidden, pdf), NOW).secrets, ['out', 'locked'])
})

test('an import with a secret is no obstacle while its files are there', () => {
  const fetched = task('up', 'import/url', { url: 'https://***:***@example.org/a' }, { result: FILES })
  const { secrets, reused } = againOf(job(fetched, convert), NOW)
  assert.deepEqual([secrets, reused], [[], ['up']])
})
