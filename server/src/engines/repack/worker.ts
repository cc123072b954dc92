/**
 * The program in the box: takes a document apart, makes its pictures smaller and puts it together again. It is started by
 * path (see repack.ts), never imported by the server, and may use nothing but sharp, Node's own modules and the files
 * bound beside it.
 */
import { climb } from '../kit/ladder.ts'
import { type Reply, serve } from '../resident/inside.ts'
import { smallerPage } from './page.ts'
import { type PictureWish, smaller } from './pictures.ts'
import { contentOf, type Entry, putTogether, takeApart, Unreadable, withContent } from './zip.ts'

export interface RepackPlan {
  /** From the best to the smallest; the first that is small enough is taken. */
  steps: PictureWish[]
  /** Bytes the result may have; null takes the first step. */
  most: number | null
  /** What stands in the place of entries with these names. */
  instead: { name: string; text: string }[]
  /** It is a page, not a ZIP file. */
  page: boolean
}

interface Written {
  bytes: Buffer
  /** How many pictures became smaller. */
  changed: number
}
type Make = (wish: PictureWish) => Promise<Written>

const PICTURE = /\.(?:jpe?g|png)$/i
/** A change anywhere would make these untrue. */
const SIGNED = /^(?:_xmlsignatures\/|META-INF\/(?:documentsignatures|signatures)\.xml$)/

interface Part {
  entry: Entry
  /** Null for what is no picture. */
  picture: Buffer | null
}

function parts(zip: Buffer, { instead }: RepackPlan): Part[] {
  return takeApart(zip).map((entry): Part => {
    const name = entry.name.toString()
    const bytes = contentOf(entry)
    if (PICTURE.test(name)) return { entry, picture: bytes }
    const text = instead.find((other) => other.name === name)?.text
    // "The file `mimetype` must be the first and neither packed nor locked", in books and OpenDocument alike.
    const made = withContent(entry, text === undefined ? bytes : Buffer.from(text), name === 'mimetype')
    return {
      entry: text === undefined && name !== 'mimetype' && made.packed.length > entry.packed.length ? entry : made,
      picture: null,
    }
  })
}

/** What tells the kind of the file stands first, where everybody looks for it; the rest stays in its order. */
const place = ({ name }: Entry): number => {
  const at = ['mimetype', '[Content_Types].xml'].indexOf(name.toString())
  return at < 0 ? 2 : at
}

async function written(list: readonly Part[], wish: PictureWish): Promise<Written> {
  let changed = 0
  const entries: Entry[] = []
  for (const { entry, picture } of list) {
    const made = picture && (await smaller(picture, wish))
    if (made) changed += 1
    entries.push(made ? withContent(entry, made, true) : entry)
  }
  return { bytes: putTogether(entries.sort((a, b) => place(a) - place(b))), changed }
}

/** Null when it is signed. */
function maker(input: Buffer, plan: RepackPlan): Make | null {
  if (plan.page) return (wish) => smallerPage(input, wish)
  if (takeApart(input).some(({ name }) => SIGNED.test(name.toString()))) return null
  const list = parts(input, plan)
  return (wish) => written(list, wish)
}

async function repack(input: Buffer, plan: RepackPlan, progress: (percent: number) => void): Promise<Reply> {
  const make = maker(input, plan)
  if (make === null) return { answer: { problem: 'signed' } }
  const tried = new Map<number, Written>()
  const fits = async (step: number): Promise<boolean> => {
    const made = await make(plan.steps[step]!)
    tried.set(step, made)
    progress(Math.min(95, tried.size * 20))
    return plan.most === null || made.bytes.length <= plan.most
  }
  const found = await climb(plan.most === null ? 1 : plan.steps.length, fits)
  const sizes = [...tried.values()].map(({ bytes }) => bytes.length)
  const made = found === null ? undefined : tried.get(found)
  if (found === null || !made) return { answer: { problem: 'too-big', smallest: Math.min(...sizes) } }
  return { answer: { step: found, pictures: made.changed }, body: made.bytes }
}

await serve(async (question, [input], progress): Promise<Reply> => {
  try {
    return await repack(input ?? Buffer.alloc(0), question as RepackPlan, progress)
  } catch (error) {
    return {
      answer: { problem: error instanceof Unreadable ? 'unreadable' : 'failed', detail: String(error).slice(0, 500) },
    }
  }
})
