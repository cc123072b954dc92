/** Bookmarks that run something: Ghostscript carries them over as they are, scripts included. Here they lose that. */
import type { Work } from '../../catalog/engine.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import { putFile, removeMade } from '../kit/hop-files.ts'
import { entriesOf, isObject, objectsIn, removeEntries, without } from './catalog.ts'
import { qpdf } from './qpdf.ts'

/** More are not looked through one by one: then all of them go. */
const MOST = 2000

/** The objects of all bookmarks, from the tree qpdf shows. */
export function bookmarksIn(outlines: Json | undefined): string[] {
  if (!Array.isArray(outlines)) return []
  return outlines.flatMap((item) =>
    isObject(item) && typeof item.object === 'string' ? [item.object, ...bookmarksIn(item.kids)] : [],
  )
}

/** An action that is somewhere else in the file is not looked up: it goes too. */
const acts = ({ '/A': action, '/AA': more }: JsonObject, allowed: readonly string[]): boolean =>
  more !== undefined ||
  (action !== undefined && !(isObject(action) && allowed.includes(String(action['/S'])) && !action['/Next']))

/** Only actions of the allowed kinds stay. Answers what to read from then on. */
export async function calmBookmarks(work: Work, from: string, allowed: readonly string[]): Promise<string> {
  const to = 'calm.pdf'
  const { stdout } = await qpdf(work, { from, job: { json: '2', jsonKey: ['outlines'] } })
  const answer: Json = JSON.parse(stdout)
  const items = bookmarksIn(isObject(answer) ? answer.outlines : undefined)
  if (items.length === 0) return from
  if (items.length > MOST) {
    await removeEntries(work, from, to, { trailer: [], catalog: ['/Outlines'] })
    return to
  }
  const jsonObject = items.map((item) => item.replace(/^(\d+) (\d+) R$/, '$1,$2'))
  const [about, objects] = objectsIn(
    (await qpdf(work, { from, job: { json: '2', jsonKey: ['qpdf'], jsonObject } })).stdout,
  )
  const names = items.map((item) => `obj:${item}`).filter((name) => acts(entriesOf(objects, name), allowed))
  if (names.length === 0) return from
  const changed = names.map((name) => [name, { value: without(entriesOf(objects, name), ['/A', '/AA']) }] as const)
  await putFile(work, 'update.json', JSON.stringify({ version: 2, qpdf: [about, Object.fromEntries(changed)] }))
  await qpdf(work, { from, to, job: { updateFromJson: 'update.json' } })
  await removeMade(work, 'update.json')
  return to
}
