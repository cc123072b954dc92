/**
 * Runs one program on the files of a hop, in a box of its own. Inputs appear at `/in/0.<ext>`, `/in/1.<ext>` …, under names
 * of ours; what it writes goes to `/work`, its current folder. Never a shell, never a name that a user chose.
 */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { At, BoxResult, BoxSpec, Command, Limits } from '../../ports/sandbox.ts'

export interface ToolRun {
  /** Absolute path of the program. */
  program: string
  /** Its arguments, given the inputs as it sees them. */
  args(inputs: readonly [string, ...string[]]): readonly string[]
  env?: BoxSpec['env']
  limits?: Partial<Limits>
  /** Further host files or folders to see, read-only: path inside → path on the host. */
  readOnly?: Readonly<Record<string, string>>
  /** Exit codes that are as good as 0. */
  accepts?: readonly number[]
  /** Sees standard output while it comes. */
  onOutput?(text: string): void
  /** What the program's own words mean for the user; null when they mean nothing in particular. */
  explain?(words: string): string | null
}

/** What a run needs of a Work, whatever its options. */
export type Running = Pick<Work, 'does' | 'inputs' | 'run'>

export async function tool(work: Running, run: ToolRun): Promise<BoxResult> {
  const places = Object.fromEntries(work.inputs.map((input, index) => [`/in/${index}.${input.format}`, input.path]))
  const spec = {
    command: (at: At): Command => [run.program, ...run.args(Object.keys(places).map(at) as [string, ...string[]])],
    readOnly: { ...places, ...run.readOnly },
    ...(run.env && { env: run.env }),
    ...(run.limits && { limits: run.limits }),
  }
  const result = await work.run(spec, run.onOutput)
  if (result.code === 0 || (result.code !== null && run.accepts?.includes(result.code))) return result
  const words = `${result.stderr}\n${result.stdout}`
  throw new Failure('processing_failed', run.explain?.(words) ?? unreadable(work), words)
}

/** The usual reason, when the program said nothing we know better. */
const unreadable = ({ inputs, does }: Running): string =>
  inputs.length === 1
    ? `"${inputs[0]?.filename}" could not be read: it is damaged, incomplete or uses something that is not supported.`
    : `The files could not be processed (${does}): one of them is damaged or uses something that is not supported.`
