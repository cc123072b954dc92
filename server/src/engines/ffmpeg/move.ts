/** Streams that are only moved from one container to another: the work of a moment, so by an ffmpeg that is warm. */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { keepWarm } from '../kit/warm.ts'
import { beforeArgs, outputArgs } from './args.ts'
import { explain } from './explain.ts'
import type { Plan } from './planned.ts'
import { commandOf, FFMPEG } from './run.ts'

const warm = keepWarm('ffmpeg', FFMPEG)

/** Nothing is coded, drawn or brought from elsewhere. */
const onlyMoves = ({ picture, sound, subtitles, cover, burn, added, other }: Plan): boolean =>
  picture?.copy !== false &&
  sound.every(({ copy }) => copy) &&
  subtitles.every(({ encoder }) => encoder === 'copy') &&
  cover === null &&
  burn === null &&
  added === null &&
  other === null

/** Whether it has been done; else it has to be done the usual way. */
export async function moveStreams(work: Work, plan: Plan, name: string): Promise<boolean> {
  if (!onlyMoves(plan)) return false
  const { pixels } = work.limits
  const said = await warm(work, {
    input: work.input,
    output: name,
    args(path, output) {
      // The name of the result comes last: here it goes where a child may write.
      const after = [...outputArgs(plan).slice(0, -1), `file:${output}`]
      const command = commandOf([{ format: work.input.format, path }], { before: beforeArgs(plan), after }, pixels)
      return command.slice(command.indexOf(FFMPEG) + 1)
    },
  })
  if (said === null) return false
  if (said.ok) return true
  const unknown = `The streams of "${work.input.filename}" could not be moved: it is damaged or incomplete.`
  throw new Failure('processing_failed', explain(said.words, work.input.filename) ?? unknown, said.words)
}
