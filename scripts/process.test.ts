import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const processModule = JSON.stringify(new URL('./process.mjs', import.meta.url).href)

/** Starts a script that runs `program` in the foreground and exits with its code, as run.mjs does. */
function startForeground(program: string) {
  const wrapper = `
    const { foreground } = await import(${processModule})
    process.exitCode = await foreground(process.execPath, ['-e', ${JSON.stringify(program)}])`
  return spawn(process.execPath, ['--input-type=module', '-e', wrapper], { stdio: ['ignore', 'pipe', 'inherit'] })
}

const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT']
for (const signal of signals) {
  test(`${signal} reaches the program, which ends in its own time and with its own code`, async () => {
    const started = startForeground(`
      process.on('${signal}', () => setTimeout(() => { console.log('stopped'); process.exit(7) }, 50))
      setInterval(() => {}, 1000)
      console.log('ready')`)
    let said = ''
    started.stdout.on('data', (chunk) => (said += chunk))
    await once(started.stdout, 'data')
    started.kill(signal)
    assert.deepEqual(await once(started, 'close'), [7, null])
    assert.equal(said, 'ready\nstopped\n')
  })
}

test('a program ended by a signal gives the code a shell would give', async () => {
  const started = startForeground(`process.kill(process.pid, 'SIGKILL')`)
  assert.deepEqual(await once(started, 'close'), [137, null])
})
