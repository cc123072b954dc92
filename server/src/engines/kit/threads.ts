/**
 * How many threads a program is given: as many as there are cores, which several runs share by niceness. More than sixteen
 * gain nothing.
 */
import { availableParallelism } from 'node:os'

export const THREADS = Math.min(availableParallelism(), 16)

/** In a box x265 finds no processors, whose list it looks for under `/sys`, and takes twice as long: it must be told. */
export const X265_POOLS = `pools=${THREADS}`
