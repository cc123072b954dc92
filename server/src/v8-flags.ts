/** How V8 keeps house, and when it compiles; main.ts says when. */
import { setFlagsFromString } from 'node:v8'

/**
 * Before anything is loaded. Moving files makes many short-lived buffers, whose bytes lie outside V8's heap but count towards
 * its limits. As it comes, V8 lets them pile up by the hundred megabytes, or walks the whole heap several times a second to
 * find them, which costs more than converting a picture does.
 *
 * Whoever starts main.ts gives it `--min-semi-space-size=4`, which cannot be said any more once V8 runs: with the one megabyte
 * that V8 begins with, the young generation is emptied once for every small job, which costs a tenth of the job.
 */
export function keepHouse(): void {
  // A young generation that stays small is emptied often, and quickly, and the buffers go with it.
  setFlagsFromString('--semi-space-growth-factor=1')
  // The whole heap is walked when it has doubled, not after every few megabytes.
  setFlagsFromString('--heap-growing-percent=100')
}

/**
 * Much of what a job needs is called once in it, and V8 means to see a function called 3000 times before it compiles it with
 * all care. Seen sooner, a server is at its best after two hundred jobs, and compiles no more while it works. Not before it
 * listens: what only the start needs would be compiled too, and the start take twice as long.
 */
export function compileSoon(): void {
  setFlagsFromString('--invocation-count-for-maglev=30')
  setFlagsFromString('--invocation-count-for-turbofan=150')
  setFlagsFromString('--minimum-invocations-after-ic-update=30')
}
