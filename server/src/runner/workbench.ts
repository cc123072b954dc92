/**
 * Where engines work for one task, or for one part of a task: a private folder for each hop, and files on loan. Everything
 * is given back at the end, however it ends.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MediaLimits, ResidentKind, Work } from '../catalog/engine.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { BoxResult, Sandbox } from '../ports/sandbox.ts'

export interface WorkbenchDeps {
  blobs: Pick<Blobs, 'local'>
  sandbox: Sandbox
  /** Asks a warm worker; see engines/resident.ts. */
  ask(
    kind: ResidentKind,
    user: string,
    question: JsonObject,
    input: string | readonly string[] | null,
    output: string | null,
    watch: { signal: AbortSignal; progress(percent: number): void },
  ): Promise<JsonObject>
  /** Removes a folder whatever an engine left in it. */
  removeTree(path: string): Promise<void>
  /** Folder for the private folders of tasks. */
  scratch: string
  /** What engines take. */
  limits: MediaLimits
}

/** What is said of a hop; the bench adds the rest. */
export type Hop = Pick<Work, 'does' | 'inputs' | 'to' | 'options' | 'passing' | 'progress' | 'tell'>

export interface Workbench {
  /** A private folder, for a box. */
  place(): string
  /** A path to read the bytes from. */
  lend(blob: string): Promise<string>
  work(hop: Hop): Work
  end(): Promise<void>
}

export type Workbenches = ReturnType<typeof createWorkbenches>

interface Place {
  path: string
  /** Whether a program in a box could write to it. */
  isBoxed: boolean
  /** Questions that were asked for it and have no answer, or a failure: something may still be written. */
  unanswered: number
}

const MOST_SPARE = 16

export function createWorkbenches(deps: WorkbenchDeps) {
  // Most hops are done by warm programs, which never see the folder: left empty it serves the next. Making and removing
  // one for each costs a small task three per cent of its time.
  const spare: string[] = []

  function make(): string {
    const path = join(deps.scratch, randomBytes(12).toString('hex'))
    mkdirSync(path, { mode: 0o700 })
    return path
  }

  async function leave({ path, isBoxed, unanswered }: Place): Promise<void> {
    if (!isBoxed && unanswered === 0 && spare.length < MOST_SPARE && isEmpty(path)) spare.push(path)
    else await deps.removeTree(path)
  }

  return function open({ user, signal }: { user: string; signal: AbortSignal }): Workbench {
    const lent: { release(): Promise<void> }[] = []
    const places: Place[] = []

    function place(isBoxed: boolean): Place {
      const taken = { path: spare.pop() ?? make(), isBoxed, unanswered: 0 }
      places.push(taken)
      return taken
    }

    return {
      place: () => place(true).path,
      async lend(blob) {
        const loan = await deps.blobs.local(blob)
        lent.push(loan)
        return loan.path
      },
      work(hop) {
        const own = place(false)
        const dir = own.path
        return {
          ...hop,
          input: hop.inputs[0]!,
          dir,
          limits: deps.limits,
          user,
          signal,
          run: async (spec, onOutput) => {
            own.isBoxed = true
            const result = await deps.sandbox.run({ ...spec, work: dir }, { signal, ...(onOutput && { onOutput }) })
            return checked(result, signal)
          },
          ask: async (kind, question, input, output) => {
            own.unanswered += 1
            const answer = await deps.ask(kind, user, question, input, output, { signal, progress: hop.progress })
            own.unanswered -= 1
            return answer
          },
        }
      },
      async end() {
        await Promise.all(lent.map((loan) => loan.release()))
        await Promise.all(places.map(leave))
      },
    }
  }
}

/** False for one that has gone. */
function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

const LIMITS: Record<NonNullable<BoxResult['ended']>, string> = {
  wall: 'The conversion took longer than allowed.',
  cpu: 'The conversion took longer than allowed.',
  memory: 'The conversion needs more memory than allowed. A smaller file or a smaller result may work.',
  disk: 'The conversion wrote more than allowed.',
  output: 'The conversion wrote more than allowed.',
  canceled: 'The conversion was stopped.',
}

function checked(result: BoxResult, signal: AbortSignal): BoxResult {
  signal.throwIfAborted()
  if (result.ended === null) return result
  const code = result.ended === 'wall' || result.ended === 'cpu' ? 'engine_timeout' : 'processing_failed'
  throw new Failure(code, LIMITS[result.ended], result.stderr)
}
