import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Capability, Engine } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import type { Lane } from '../core/task.ts'
import type { Node, Nodes } from '../ports/nodes.ts'
import { abilitiesIn, createCluster } from './cluster.ts'

const engine = (id: string, from: Ext, to: Ext, cost = 1): Engine => {
  const can: Capability = { does: 'convert', from: [from], to: [to], cost, options: {}, run: async () => [] }
  return { id, title: id, tools: [], can: [can] }
}
const ENGINES = [engine('office', 'docx', 'pdf'), engine('poppler', 'pdf', 'png'), engine('pandoc', 'md', 'html')]
const EVERYWHERE = { io: 1, light: 1, heavy: 1, parts: 0 }

const node = (id: string, abilities: string[], more: Partial<Node> = {}): Node => ({
  id,
  role: 'worker',
  version: '1',
  name: id,
  abilities,
  capacity: EVERYWHERE,
  startedAt: 0,
  seenAt: 0,
  ...more,
})

/** Nodes as a table would hold them, that can be away. */
function createTable(...others: Node[]) {
  const rows = new Map(others.map((each) => [each.id, each]))
  let away = false
  const here = () => {
    if (away) throw new Error('the database is away')
  }
  const nodes: Nodes = {
    async beat(row) {
      here()
      rows.set(row.id, row)
    },
    async live(since) {
      here()
      return [...rows.values()].filter(({ seenAt }) => seenAt > since)
    },
    async leave(id) {
      rows.delete(id)
    },
    forget: async () => {},
  }
  return {
    nodes,
    rows,
    go(now: boolean) {
      away = now
    },
  }
}

async function joined(self: Node, ...others: Node[]) {
  const table = createTable(...others)
  let now = 1000
  const cluster = createCluster({
    nodes: table.nodes,
    self,
    engines: ENGINES,
    clock: { now: () => now },
    failed: () => {},
    every: 1,
  })
  const leave = await cluster.join()
  return {
    cluster,
    table,
    leave,
    async at(time: number) {
      now = time
      await new Promise((done) => setTimeout(done, 10))
    },
  }
}

const api = node('a', [], { role: 'api', capacity: { io: 0, light: 0, heavy: 0, parts: 0 } })

describe('nodes together', () => {
  test('can do what any one of them can, and nothing that would lead from one to another', async () => {
    const { cluster, leave } = await joined(api, node('b', ['office']), node('c', ['poppler']), node('d', ['pandoc']))
    assert.deepEqual(cluster.catalog.outputs('convert', 'docx'), ['pdf'])
    assert.deepEqual(cluster.catalog.outputs('convert', 'pdf'), ['png'])
    assert.equal(cluster.catalog.route('convert', 'docx', 'png'), null)
    assert.equal(cluster.catalog.describe('convert', 'md', 'html')?.engines[0]?.value, 'pandoc')
    await leave()
  })

  test('a machine with both engines opens the way between them', async () => {
    const { cluster, leave } = await joined(api, node('b', ['office']), node('c', ['office', 'poppler']))
    assert.equal(cluster.catalog.route('convert', 'docx', 'png')?.hops.length, 2)
    assert.equal(cluster.needsFor('light', ['office', 'poppler']), 'poppler')
    assert.equal(cluster.needsFor('light', ['office']), null)
    await leave()
  })

  test('an engine of a newer release is left out, and does not get in the way', async () => {
    const { cluster, leave } = await joined(api, node('b', ['office', 'of-tomorrow'], { version: '2' }))
    assert.deepEqual(
      cluster.catalog.engines.map(({ id }) => id),
      ['office'],
    )
    await leave()
  })

  test('who falls silent is gone, with what only they could do', async () => {
    const { cluster, leave, at } = await joined(api, node('b', ['office'], { seenAt: 1000 }))
    assert.ok(cluster.catalog.route('convert', 'docx', 'pdf'))
    await at(32_000)
    assert.equal(cluster.catalog.route('convert', 'docx', 'pdf'), null)
    await leave()
  })

  test('after the database was away, those we knew have the time to be seen again', async () => {
    const { cluster, leave, at, table } = await joined(api, node('b', ['office'], { seenAt: 1000 }))
    table.go(true)
    await at(60_000)
    table.go(false)
    await at(61_000)
    assert.ok(cluster.catalog.route('convert', 'docx', 'pdf'))
    await at(95_000)
    assert.equal(cluster.catalog.route('convert', 'docx', 'pdf'), null)
    await leave()
  })

  test('one of those that take requests leads', async () => {
    const { cluster, leave, table, at } = await joined(node('b', [], { role: 'all' }), api, node('0', ['office']))
    assert.equal(cluster.leads(), false)
    table.rows.delete('a')
    await at(1001)
    assert.equal(cluster.leads(), true)
    await leave()
    assert.equal(table.rows.has('b'), false)
  })

  test('a lane that nobody with the ability serves is not served', async () => {
    const lanes = (...names: Lane[]) => ({ ...api.capacity, ...Object.fromEntries(names.map((name) => [name, 1])) })
    const { cluster, leave } = await joined(
      api,
      node('b', ['office'], { capacity: lanes('light') }),
      node('c', [], { capacity: lanes('heavy', 'light') }),
    )
    assert.equal(cluster.serves('heavy', ['office']), false)
    assert.equal(cluster.serves('heavy'), true)
    assert.deepEqual([cluster.workersFor('light', []), cluster.workersFor('light', ['office'])], [2, 1])
    assert.equal(cluster.serves('io'), false)
    const needs = cluster.needsFor('light', ['office', 'op_convert'])
    assert.deepEqual(needs && abilitiesIn(needs), ['office', 'op_convert'])
    await leave()
  })
})
