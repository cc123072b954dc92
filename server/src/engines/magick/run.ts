/** Runs ImageMagick in a box, under a policy that lets it touch only what is declared. */
import { fileURLToPath } from 'node:url'
import { type ToolRun, tool } from '../kit/tool.ts'
import type { Job } from '../sharp/job.ts'

export const MAGICK = { program: '/usr/bin/convert-im6.q16', debian: 'imagemagick' } as const
const GB = 2 ** 30
const POLICY = '/opt/reforge/magick/policy.xml'

const TOO_BIG =
  /exceeds limit|cache resources exhausted|width or height exceeds|memory allocation failed|TooManyPixels/i

export function magick(job: Pick<Job, 'does' | 'inputs' | 'input' | 'run'>, args: ToolRun['args']) {
  return tool(job, {
    program: MAGICK.program,
    args,
    readOnly: { [POLICY]: fileURLToPath(import.meta.resolve('./policy.xml')) },
    env: (at) => ({ MAGICK_CONFIGURE_PATH: at(POLICY).replace(/\/[^/]+$/, ''), MAGICK_TEMPORARY_PATH: at('/tmp') }),
    // What goes on to sharp is not packed: as big as the policy lets a picture be in memory.
    limits: { wall: 250_000, cpu: 240, memory: 3 * GB, file: 2 * GB, disk: 3 * GB },
    explain: (words) =>
      TOO_BIG.test(words) ? `The picture "${job.input.filename}" has more pixels than are possible.` : null,
  })
}
