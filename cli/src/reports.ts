/** Who is told: a person, a pipe or a program. The latter two hear results only. */
import type { Context } from './command.ts'
import { clean, sentence } from './exit.ts'
import type { Report, Telling } from './report.ts'
import { createTerminalReport } from './report-terminal.ts'

/** "Nothing but results in a pipe": the paths that were written. */
const plain = ({ out, err }: Context): Report => ({
  progress() {},
  done: ({ outputs }) => void out.write(outputs.map(({ path }) => `${path}\n`).join('')),
  failed: (input, error) => void err.write(`${clean(input)}: ${sentence(error)}\n`),
  end() {},
})

const json = ({ out }: Context): Report => {
  const say = (value: object) => out.write(`${JSON.stringify(value)}\n`)
  return {
    progress() {},
    done: ({ input, before, outputs }) => void say({ ok: true, input, size: before, outputs }),
    failed: (input, error) => {
      const { code } = error as { code?: string }
      say({ ok: false, input, error: { ...(code && { code }), message: sentence(error) } })
    },
    end() {},
  }
}

export function createReport(context: Context, telling: Telling): Report {
  if (context.values.json) return json(context)
  return context.out.isTTY ? createTerminalReport(context.out, context.err, telling) : plain(context)
}
