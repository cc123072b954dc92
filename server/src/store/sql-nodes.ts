/** The table of nodes. */
import type { Node, Nodes } from '../ports/nodes.ts'
import type { Database, Row } from '../ports/sql.ts'

const nodeOf = (row: Row): Node => ({
  id: String(row.id),
  role: row.role as Node['role'],
  version: String(row.version),
  name: String(row.name),
  abilities: JSON.parse(String(row.abilities)),
  capacity: JSON.parse(String(row.capacity)),
  startedAt: Number(row.started_at),
  seenAt: Number(row.seen_at),
})

export function createSqlNodes(database: Database): Nodes {
  return {
    async beat(node) {
      await database.run(
        `INSERT INTO nodes (id, role, version, name, abilities, capacity, started_at, seen_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET abilities = excluded.abilities, capacity = excluded.capacity, seen_at = excluded.seen_at`,
        node.id,
        node.role,
        node.version,
        node.name,
        JSON.stringify(node.abilities),
        JSON.stringify(node.capacity),
        node.startedAt,
        node.seenAt,
      )
    },
    async live(since) {
      return (await database.all('SELECT * FROM nodes WHERE seen_at > ? ORDER BY id', since)).map(nodeOf)
    },
    async leave(id) {
      await database.run('DELETE FROM nodes WHERE id = ?', id)
    },
    async forget(before) {
      await database.run('DELETE FROM nodes WHERE seen_at < ?', before)
    },
  }
}
