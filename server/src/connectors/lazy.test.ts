import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

test('no storage library is loaded before a storage is used', async () => {
  const asked: string[] = []
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      asked.push(specifier)
      return next(specifier, context)
    },
  })
  await import('../operations/index.ts')
  hooks.deregister()
  assert.ok(
    asked.some((name) => name.endsWith('connectors/s3.ts')),
    'the connectors are loaded',
  )
  assert.deepEqual(
    asked.filter((name) => /^(@aws-sdk|@azure|ssh2)/.test(name)),
    [],
  )
})
