import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveBigFile } from '../support/big-file.ts'
import { startServer } from '../support/server.ts'

test('a big file goes in and out byte for byte, and memory does not grow with it', async () => {
  const size = 400 * 1024 ** 2
  await using server = await startServer({ env: { REFORGE_MAX_FILE_SIZE: String(size) } })
  const { status, grewUp, grewDown, identical } = await moveBigFile(server, size)
  assert.equal(status, 200)
  assert.ok(identical)
  assert.ok(grewUp < 100 * 1024 ** 2, `grew by ${grewUp} while it came`)
  assert.ok(grewDown < 100 * 1024 ** 2, `grew by ${grewDown} while it went`)
})
