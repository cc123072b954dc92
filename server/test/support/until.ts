/** Waits for something that must come; how long it takes is not what the test is about. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `waited in vain until ${what}`)
    await sleep(2)
  }
}
