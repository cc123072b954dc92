/** Waits for something that must come; how long it takes is not what the test is about. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is said of it may depend on how far it came: then it is a function. */
export async function until(condition: () => boolean | Promise<boolean>, what: string | (() => string)): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await condition())) {
    if (Date.now() > deadline) assert.fail(`waited in vain until ${typeof what === 'string' ? what : what()}`)
    await sleep(2)
  }
}
