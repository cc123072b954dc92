/**
 * The program in the box: packs and unpacks drawings and makes them smaller. It is started by path (see svgo.ts), never
 * imported by the server, and may use nothing but svgo, Node's own modules and the file bound beside it.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Config, optimize } from 'svgo'
import { type Reply, serve } from '../resident/inside.ts'

const MOST_UNPACKED = 64 * 2 ** 20

export interface DrawingPlan {
  /** Null only packs or unpacks. */
  optimize: { precision: number; strip: boolean; pretty: boolean; scripts: boolean } | null
  packed: boolean
}

function unpacked(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED }) : bytes
}

/** What says something to people or editors; the rest of the preset only writes the same more briefly. */
const TALK = { removeComments: false, removeMetadata: false, removeEditorsNSData: false, removeDoctype: false } as const

function config({ precision, strip, pretty, scripts }: NonNullable<DrawingPlan['optimize']>): Config {
  const overrides = { ...(strip ? {} : { ...TALK, removeDesc: false as const }) }
  return {
    multipass: true,
    floatPrecision: precision,
    js2svg: { pretty },
    plugins: [{ name: 'preset-default', params: { overrides } }, ...(scripts ? [] : ['removeScripts' as const])],
  }
}

await serve(async (question, [input]): Promise<Reply> => {
  try {
    const plan = question as DrawingPlan
    const drawing = unpacked(input ?? Buffer.alloc(0))
    if (!/<(?:[\w-]+:)?svg[\s>]/.test(drawing.toString('latin1'))) throw new Error('no drawing in it')
    const made = plan.optimize ? Buffer.from(optimize(drawing.toString(), config(plan.optimize)).data) : drawing
    return { answer: { made: true }, body: plan.packed ? gzipSync(made, { level: 9 }) : made }
  } catch (error) {
    return { answer: { made: false, detail: String(error).slice(0, 1000) } }
  }
})
