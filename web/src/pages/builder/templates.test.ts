import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, EMPTY } from './draft.ts'
import { readTemplates, templateOf, withTemplate } from './templates.ts'

const JOB = {
  tasks: {
    content: { operation: 'import/base64', filename: 'a', file: 'data:;base64,aGVsbG8=' },
    cloud: { operation: 'import/objstore_b', bucket: 'b', file: 'path/in/the/bucket', private_key: 'secret' },
    locked: {
      operation: 'convert',
      input: 'content',
      output_format: 'pdf',
      options: { password: 'secret', toc: true },
    },
    sent: {
      operation: 'export/objstore_a',
      input: 'locked',
      access_key_id: 'known',
      secret_access_key: 'secret',
      session_token: 'secret',
    },
    stored: { operation: 'export/blobstore', input: 'locked', storage_access_key: 'secret', sas_token: 'secret' },
  },
}

test('a template keeps everything but secrets and contents', () => {
  const { job } = templateOf('x', draftOf(JOB) ?? EMPTY)
  assert.deepEqual(job.tasks, {
    content: { operation: 'import/base64', filename: 'a' },
    cloud: { operation: 'import/objstore_b', bucket: 'b', file: 'path/in/the/bucket' },
    locked: { operation: 'convert', input: 'content', output_format: 'pdf', options: { toc: true } },
    sent: { operation: 'export/objstore_a', input: 'locked', access_key_id: 'known' },
    stored: { operation: 'export/blobstore', input: 'locked' },
  })
})

test('a file may hold a template, several, or a job alone; nothing else is taken', () => {
  const tasks = { in: { operation: 'import/upload' } }
  const template = { name: 'own', job: { tasks } }
  assert.deepEqual(readTemplates(template, 'file'), [template])
  assert.deepEqual(readTemplates([template, { tasks }], 'file'), [template, { name: 'file', job: { tasks } }])
  for (const other of [null, 7, 'text', {}, { job: 7 }, [[]]]) assert.deepEqual(readTemplates(other, 'file'), [])
})

test('one of the same name is replaced, and all are in order', () => {
  const job = { tasks: {} }
  const all = withTemplate(withTemplate([], { name: 'b', job }), { name: 'a', job })
  assert.deepEqual(
    withTemplate(all, { name: 'b', job }).map(({ name }) => name),
    ['a', 'b'],
  )
})
