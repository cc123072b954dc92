/** Paths of a box that has no file system of its own. Pure. */
import type { At } from '../ports/sandbox.ts'

/** The longest folder that holds the path decides; a path below none of them is the host's own (`/usr/bin/gs`). */
export function createAt(places: Readonly<Record<string, string>>): At {
  const longestFirst = Object.entries(places).sort(([a], [b]) => b.length - a.length)
  return (inside) => {
    for (const [place, host] of longestFirst) {
      if (inside === place) return host
      if (inside.startsWith(`${place}/`)) return host + inside.slice(place.length)
    }
    return inside
  }
}
