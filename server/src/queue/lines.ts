/** The lines of all lanes: in each lane one for what needs nothing, and one for each thing that is needed. */
import type { Lane } from '../core/task.ts'
import { type Depths, noDepths, type Offer } from '../ports/queue.ts'
import { createLaneLine, type LaneLine, type Standing } from './lane-line.ts'

interface Named<E extends Standing> {
  lane: Lane
  needs: string
  line: LaneLine<E>
}

export function createLines<E extends Standing>(mayRun: (owner: string) => boolean) {
  const all: Named<E>[] = []
  const of = ({ lane, needs = '' }: Pick<Offer, 'lane' | 'needs'>): LaneLine<E> => {
    const known = all.find((named) => named.lane === lane && named.needs === needs)
    if (known) return known.line
    const line = createLaneLine<E>(mayRun)
    all.push({ lane, needs, line })
    return line
  }
  return {
    of,
    covered: (lanes: readonly Lane[], covers: (needs: string) => boolean): LaneLine<E>[] =>
      all.filter(({ lane, needs }) => lanes.includes(lane) && (needs === '' || covers(needs))).map(({ line }) => line),
    review(owner: string): void {
      for (const { line } of all) line.review(owner)
    },
    depth(): Depths {
      const depths = noDepths()
      for (const { lane, line } of all) {
        depths[lane].waiting += line.waiting
        depths[lane].running += line.running
      }
      return depths
    },
  }
}
