import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { locked } from './lock.mjs'

const dir = mkdtempSync(join(tmpdir(), 'reforge-lock-'))
after(() => rmSync(dir, { recursive: true }))

const lockModule = JSON.stringify(new URL('./lock.mjs', import.meta.url).href)

test('processes that want the same lock work one after another, a dead holder notwithstanding', async () => {
  const lock = join(dir, 'shared.lock')
  const log = join(dir, 'log')
  const dead = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { locked } = await import(${lockModule})
     await locked(${JSON.stringify(lock)}, async () => process.kill(process.pid, 'SIGKILL'))`,
  ])
  await once(dead, 'exit')
  assert.ok(existsSync(lock), 'the killed process left its lock')

  const program = `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    const { locked } = await import(${lockModule})
    await locked(${JSON.stringify(lock)}, async () => {
      appendFileSync(${JSON.stringify(log)}, process.pid + '\\n')
      await sleep(20)
      appendFileSync(${JSON.stringify(log)}, process.pid + '\\n')
    })`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  await Promise.all(Array.from({ length: 5 }, run))

  const lines = readFileSync(log, 'utf8').trim().split('\n')
  assert.equal(lines.length, 10)
  for (let i = 0; i < lines.length; i += 2) assert.equal(lines[i], lines[i + 1], 'two were in at once')
  assert.ok(!existsSync(lock))
})

test('a process id that now belongs to somebody else holds nothing', async () => {
  const lock = join(dir, 'reused.lock')
  writeFileSync(lock, `${process.pid} 1`)
  assert.equal(await locked(lock, async () => 'in'), 'in')
})

test('the lock is given back when the work fails', async () => {
  const lock = join(dir, 'failing.lock')
  await assert.rejects(
    locked(lock, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.ok(!existsSync(lock))
})
