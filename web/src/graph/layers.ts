/** Where the tasks of a job stand: those without input at the left, each right of all it takes from. Pure. */
export interface Linked {
  id: string
  inputs: readonly string[]
}

export interface Spot {
  column: number
  row: number
}

/** The longest way from a beginning. A circle, which only an unfinished graph can have, is cut where it closes. */
function columnsOf(nodes: readonly Linked[]): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const columns = new Map<string, number>()
  const open = new Set<string>()
  const visit = (node: Linked): number => {
    const known = columns.get(node.id)
    if (known !== undefined) return known
    open.add(node.id)
    const before = node.inputs.flatMap((id) => {
      const input = byId.get(id)
      return input && !open.has(id) ? [visit(input)] : []
    })
    open.delete(node.id)
    const column = Math.max(-1, ...before) + 1
    columns.set(node.id, column)
    return column
  }
  for (const node of nodes) visit(node)
  return columns
}

const sumOf = (rows: readonly number[]): number => rows.reduce((sum, row) => sum + row, 0)

/** Rows follow the middle of a node's inputs, so that lines cross little; otherwise the given order counts. */
export function layersOf(nodes: readonly Linked[]): Map<string, Spot> {
  const columns = columnsOf(nodes)
  const byColumn = Map.groupBy(nodes, ({ id }) => columns.get(id) ?? 0)
  const spots = new Map<string, Spot>()
  for (const column of [...byColumn.keys()].sort((a, b) => a - b)) {
    const middle = ({ inputs }: Linked): number => {
      const rows = inputs.flatMap((id) => spots.get(id)?.row ?? [])
      // In quarters, which add up exactly: a row next to another is never a hair too near.
      return rows.length > 0 ? Math.round((4 * sumOf(rows)) / rows.length) / 4 : Number.POSITIVE_INFINITY
    }
    const wanted = (byColumn.get(column) ?? []).map((node) => ({ node, at: middle(node) }))
    let next = 0
    for (const { node, at } of wanted.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at))) {
      const row = Number.isFinite(at) ? Math.max(next, at) : next
      spots.set(node.id, { column, row })
      next = row + 1
    }
  }
  return spots
}
