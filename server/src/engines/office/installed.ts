/**
 * Which fonts this machine has, and what is taken for those it has not. Asked of fontconfig in a box, once for all
 * documents: what is installed later is seen after the next start.
 */
import type { Work } from '../../catalog/engine.ts'
import type { Json } from '../../core/task.ts'

const FC_LIST = '/usr/bin/fc-list'
const FC_MATCH = '/usr/bin/fc-match'
const MOST_KNOWN = 1000

type Asking = Pick<Work, 'run'>

const plain = (name: string): string => name.trim().toLowerCase()

let families: Promise<ReadonlySet<string>> | undefined
const instead = new Map<string, string | null>()

async function readFamilies({ run }: Asking): Promise<ReadonlySet<string>> {
  const { code, stdout } = await run({ command: () => [FC_LIST, ':', 'family'] })
  return new Set(code === 0 ? stdout.split(/[\n,]/).map(plain).filter(Boolean) : [])
}

/** A name that fontconfig could take for more than a name is not asked about. */
async function replacement({ run }: Asking, font: string): Promise<string | null> {
  const known = instead.get(plain(font))
  if (known !== undefined) return known
  const asked = /^[\p{L}\p{N}][\p{L}\p{N} ]*$/u.test(font)
  const answer = asked ? await run({ command: () => [FC_MATCH, '-f', '%{family[0]}', font] }) : null
  const name = answer?.code === 0 && answer.stdout.trim() !== '' ? answer.stdout.trim().slice(0, 80) : null
  if (instead.size < MOST_KNOWN) instead.set(plain(font), name)
  return name
}

/** What of these is not there, each with what is probably taken for it. Nothing, where fontconfig does not answer. */
export async function missingFonts(work: Asking, fonts: readonly string[]): Promise<Json[]> {
  if (fonts.length === 0) return []
  families ??= readFamilies(work)
  const there = await families.catch(() => new Set<string>())
  if (there.size === 0) {
    families = undefined
    return []
  }
  const missing = fonts.filter((font) => !there.has(plain(font))).slice(0, 10)
  const list: Json[] = []
  for (const font of missing) list.push({ font, replaced_by: await replacement(work, font) })
  return list
}
