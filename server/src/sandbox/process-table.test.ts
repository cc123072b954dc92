import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { family, heldMemory, type ProcessRow, parseStat, readProcessTable } from './process-table.ts'

const line = (name: string, state: string): string =>
  `42 (${name}) ${state} 7 40 40 0 -1 4194304 100 0 0 0 150 50 25 75 20 0 3 0 9999 1000000 250 1 1 1`

test('A line of the process table is read though the name of the program tries to mislead', () => {
  const wanted: ProcessRow = { pid: 42, parent: 7, group: 40, cpu: 3, threads: 3, started: 9999 }
  assert.deepEqual(parseStat(line('sh', 'S')), wanted)
  assert.deepEqual(parseStat(line('a) Z 1 1 (b', 'R')), wanted)
})

test('A dead process and an empty line are nobody', () => {
  assert.equal(parseStat(line('sh', 'Z')), null)
  assert.equal(parseStat(''), null)
})

test('A family is everybody below and everybody in the group, in whatever order they are listed', () => {
  const row = (pid: number, parent: number, group: number): [number, ProcessRow] => [
    pid,
    { pid, parent, group, cpu: 0, threads: 1, started: 0 },
  ]
  // 13 comes before its parent; 14 lost its parent but not its group; 20 and 1 are strangers.
  const table = new Map([
    row(13, 12, 50),
    row(12, 10, 12),
    row(10, 1, 10),
    row(14, 1, 10),
    row(20, 1, 20),
    row(1, 0, 1),
  ])
  assert.deepEqual(
    family(table, 10)
      .map(({ pid }) => pid)
      .sort(),
    [10, 12, 13, 14],
  )
})

test('The real table knows this process and a child of it', async () => {
  const child = spawn('/bin/sleep', ['60'])
  const pids = family(readProcessTable(), process.pid).map(({ pid }) => pid)
  const gone = new Promise((resolve) => child.on('close', resolve))
  child.kill()
  await gone
  assert.ok(pids.includes(process.pid) && pids.includes(child.pid ?? 0))
  assert.ok(heldMemory(process.pid) > 2 ** 20)
  assert.equal(heldMemory(child.pid ?? 0), 0)
})
