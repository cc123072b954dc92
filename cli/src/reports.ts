/** Who is told: a person, a pipe or a program. The latter two hear results only. */
import type { Context } from './command.ts'
import { clean, problem, sentence } from './exit.ts'
import type { Report, Telling } from './report.ts'
import { createTerminalReport } from './report-terminal.ts'

/** "Nothing but results in a pipe": the paths that were written. */
const plain = ({ out, err }: Context, { toStdout }: Telling): Report => ({
  progress() {},
  done: ({ outputs }) => {
    if (!toStdout) out.write(outputs.map(({ path }) => `${path}\n`).join(''))
  },
  failed: (input, error) => void err.write(`${clean(input)}: ${sentence(error)}\n`),
  end() {},
})

const json = ({ out }: Context): Report => {
  const say = (value: object) => out.write(`${JSON.stringify(value)}\n`)
  return {
    progress() {},
    done: ({ input, before, outputs }) => void say({ ok: true, input, size: before, outputs }),
    failed: (input, error) => void say({ ok: false, input, error: problem(error) }),
    end() {},
  }
}

/** Whether lines can be drawn over. */
export const canDraw = (stream: NodeJS.WriteStream, env: Context['env']): boolean =>
  stream.isTTY === true && env.TERM !== 'dumb'

export function createReport(context: Context, telling: Telling): Report {
  const { out, err, env, values } = context
  if (values.json) return json(context)
  // Who sends the result elsewhere may still be watching.
  const stage = telling.toStdout ? err : out
  return canDraw(stage, env) ? createTerminalReport(stage, err, telling) : plain(context, telling)
}
