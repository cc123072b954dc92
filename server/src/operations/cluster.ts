/**
 * The nodes of the service as one: what all of them together can do, and what a task needs to find the right one. On one
 * machine that is the machine itself. Every node says every few seconds that it is there; who falls silent is gone.
 */
import { type Catalog, createCatalog } from '../catalog/catalog.ts'
import type { Engine } from '../catalog/engine.ts'
import { unionOf } from '../catalog/union.ts'
import type { Lane } from '../core/task.ts'
import type { Clock } from '../ports/clock.ts'
import type { Node, Nodes } from '../ports/nodes.ts'

export interface Cluster {
  /** What its live workers can do: another answer when workers come and go. */
  readonly catalog: Catalog
  nodes(): readonly Node[]
  /** Whether some worker takes tasks of this lane, and has all of these abilities. */
  serves(lane: Lane, abilities?: readonly string[]): boolean
  /** How many such workers there are. */
  workersFor(lane: Lane, abilities: readonly string[]): number
  /** Whether this node has them. */
  has(abilities: readonly string[]): boolean
  /** For an offer: those of the abilities that not every worker of the lane has, as one word; null when all have all. */
  needsFor(lane: Lane, abilities: readonly string[]): string | null
  /** Whether the work that one node does for all falls to this one. */
  leads(): boolean
  /** Looks now who is there, as it does every few seconds: before somebody is told that nobody can. */
  look(): Promise<void>
  /** Looks who is there, and says that we are, from now on. Answers how to say good-bye. */
  join(): Promise<() => Promise<void>>
}

export interface ClusterDeps {
  /** null on one machine. */
  nodes: Nodes | null
  self: Omit<Node, 'seenAt'>
  /** All that this release knows. */
  engines: readonly Engine[]
  clock: Clock
  failed(error: unknown): void
  /** Milliseconds. */
  every?: number
}

const EVERY = 3_000
const GONE = 30_000
const FORGOTTEN = 3_600_000

/** Abilities in an offer, as one word. */
const SEPARATOR = '.'
export const abilitiesIn = (needs: string): string[] => needs.split(SEPARATOR)
/** The ability to run an operation. */
export const operationAbility = (name: string): string => `op_${name.replaceAll('/', '_')}`
export const BROWSER = 'browser'

export function createCluster({ nodes, self, engines, clock, failed, every = EVERY }: ClusterDeps): Cluster {
  const known = new Map<string, Catalog>()
  const me = (): Node => ({ ...self, seenAt: clock.now() })
  let live: readonly Node[] = [me()]
  let current = together(live)
  let unsureUntil = 0

  /** Machines with the same engines are one; what we do not know ourselves is left out. */
  function together(list: readonly Node[]): Catalog {
    const sets = workersOf(list).map((node) => engines.filter(({ id }) => node.abilities.includes(id)))
    const catalogs = sets.map((set) => {
      const key = set.map(({ id }) => id).join()
      const found = known.get(key) ?? createCatalog(set)
      known.set(key, found)
      return found
    })
    const distinct = [...new Set(catalogs)]
    return distinct.length > 0 ? unionOf(distinct) : createCatalog([])
  }

  async function look(): Promise<void> {
    if (!nodes) return
    const found = await nodes.live(clock.now() - GONE)
    // After the database was away nobody has been seen for a while: those we knew get the time to be seen again.
    const kept = clock.now() < unsureUntil ? live : []
    const all = new Map([...kept, ...found, me()].map((node) => [node.id, node]))
    live = [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    current = together(live)
  }

  async function beat(): Promise<void> {
    if (!nodes) return
    try {
      await nodes.beat(me())
      await look()
    } catch (error) {
      unsureUntil = clock.now() + GONE
      failed(error)
    }
  }

  return {
    catalog: {
      get engines() {
        return current.engines
      },
      get secrets() {
        return current.secrets
      },
      formats: () => current.formats(),
      inputs: (...question) => current.inputs(...question),
      outputs: (...question) => current.outputs(...question),
      route: (...question) => current.route(...question),
      options: (...question) => current.options(...question),
      describe: (...question) => current.describe(...question),
    },
    nodes: () => live,
    serves: (lane, abilities = []) => workersOf(live).some((node) => isFor(node, lane, abilities)),
    workersFor: (lane, abilities) => workersOf(live).filter((node) => isFor(node, lane, abilities)).length,
    has: (abilities) => abilities.every((one) => self.abilities.includes(one)),
    needsFor(lane, abilities) {
      const workers = workersOf(live).filter((node) => node.capacity[lane] > 0)
      const special = abilities.filter((one) => !workers.every((node) => node.abilities.includes(one)))
      return special.length > 0 ? [...new Set(special)].sort().join(SEPARATOR) : null
    },
    look,
    leads: () => live.find(({ role }) => role !== 'worker')?.id === self.id,

    async join() {
      if (!nodes) return async () => {}
      await nodes.forget(clock.now() - FORGOTTEN)
      await nodes.beat(me())
      await look()
      let beating = Promise.resolve()
      const timer = setInterval(() => {
        beating = beating.then(beat)
      }, every)
      timer.unref()
      return async () => {
        clearInterval(timer)
        await beating
        await nodes.leave(self.id).catch(failed)
      }
    },
  }
}

const isFor = ({ capacity, abilities: has }: Node, lane: Lane, abilities: readonly string[]): boolean =>
  capacity[lane] > 0 && abilities.every((one) => has.includes(one))

const workersOf = (list: readonly Node[]): Node[] => list.filter(({ role }) => role !== 'api')
