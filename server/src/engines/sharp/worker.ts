/**
 * The program in the box: answers plans with pictures. It is started by path (see resident.ts), never imported by
 * the server, and may use nothing but sharp, Node's own modules and the files bound beside it.
 */
import sharp from 'sharp'
import { serve } from '../resident/inside.ts'
import { doChore } from './chores.ts'
import { carryOut } from './picture.ts'
import type { Chore, Plan, Problem, ProblemCode } from './plan.ts'
import { PictureProblem } from './read.ts'

sharp.cache(false)
sharp.simd(true)
// Bytes only, and only of the formats that are declared: no file, no other decoder, whatever a picture pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
})

/** What the library's first complaint means; the others follow from it. Whatever is not here comes from decoding. */
const COMPLAINTS: readonly [RegExp, ProblemCode][] = [
  [/exceeds pixel limit/i, 'too-many-pixels'],
  [/too large for the \w+ format|maximum (width|height)|image too (wide|tall|large)/i, 'too-wide'],
  [/bad extract area/i, 'outside'],
  [/page \d+ differs from page/i, 'mixed-pages'],
  [/^vips2|save|out of memory/i, 'failed'],
]

function problem(error: unknown): Problem {
  if (error instanceof PictureProblem)
    return { problem: error.code, input: error.input, figures: error.figures, detail: error.message }
  const detail = error instanceof Error ? error.message : String(error)
  const [first = ''] = detail.split('\n')
  const code = COMPLAINTS.find(([pattern]) => pattern.test(first))?.[1] ?? 'unreadable'
  return { problem: code, input: 0, figures: {}, detail }
}

// The first picture of a process costs what is loaded on demand; pay for it before anybody waits.
await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
  .jpeg()
  .toBuffer()

await serve(async (question, inputs, progress) => {
  try {
    const asked = question as Plan | Chore
    const { answer, body } =
      'chore' in asked ? await doChore(asked, inputs[0] ?? Buffer.alloc(0)) : await carryOut(asked, inputs, progress)
    return body ? { answer: { ...answer }, body } : { answer: { ...answer } }
  } catch (error) {
    return { answer: { ...problem(error) } }
  }
})
