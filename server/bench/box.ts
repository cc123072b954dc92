/** What closing the box costs, for a program that does nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openSandbox } from '../src/sandbox/detect.ts'
import { inTurns, measure } from './measure.ts'
import { ms, type Row, times } from './report.ts'

const TRUE = '/usr/bin/true'

export async function boxing(folder: string, quick: boolean): Promise<Row[]> {
  const sandbox = await openSandbox({ unsafe: false, landlockHelper: null, scratch: join(folder, 'scratch') })
  try {
    const runs = 10
    const { one, other } = await inTurns(
      quick ? 2 : 8,
      () => measure(runs, 1, () => once(spawn(TRUE, { stdio: 'ignore' }), 'exit')),
      () => measure(runs, 1, () => sandbox.run({ command: [TRUE] })),
    )
    return [
      { what: 'a process that does nothing, p50', value: ms(one.p50) },
      { what: `  in the box (${sandbox.kind})`, value: ms(other.p50) },
      { what: '  ratio', value: times(other.p50 / one.p50) },
    ]
  } finally {
    await sandbox.close()
  }
}
