/** The ways ffmpeg is told to keep parts of a file. Pure. */
import { type Span, written } from './trim-ranges.ts'

export interface Streams {
  /** Index of the film in the file; null where there is only sound. */
  video: number | null
  /** The sound; `layout` where the file does not say which channel is which, and ffmpeg would not join them. */
  audio: readonly { index: number; layout: string | null }[]
}

interface Graph {
  filter: string
  maps: string[]
}

/**
 * Every part from an input of its own, cut and joined. Inputs that were moved to their start by `-ss` and `-t` need no
 * cutting here.
 */
export function joining(spans: readonly Span[], { video, audio }: Streams, moved: boolean): Graph {
  const between = ({ start, end }: Span): string => `start=${written(start)}:end=${written(end)}`
  const alone = spans.length === 1
  const chains: string[] = []
  const pads: string[] = []
  const chain = (from: string, filters: string, to: string): void => {
    chains.push(`[${from}]${filters}[${to}]`)
    pads.push(`[${to}]`)
  }
  for (const [part, span] of spans.entries()) {
    const name = (kind: string): string => (alone ? kind : `${kind}_${part}`)
    if (video !== null)
      chain(`${part}:${video}`, moved ? 'null' : `trim=${between(span)},setpts=PTS-STARTPTS`, name('v'))
    for (const [number, { index, layout }] of audio.entries()) {
      const cut = moved ? 'anull' : `atrim=${between(span)},asetpts=PTS-STARTPTS`
      const known = layout === null || alone ? '' : `,aformat=channel_layouts=${layout}`
      chain(`${part}:${index}`, cut + known, name(`a${number}`))
    }
  }
  const out = [...(video === null ? [] : ['[v]']), ...audio.map((_, number) => `[a${number}]`)]
  const joined = `concat=n=${spans.length}:v=${video === null ? 0 : 1}:a=${audio.length}`
  const ending = alone ? [] : [`${pads.join('')}${joined}${out.join('')}`]
  return { filter: [...chains, ...ending].join(';'), maps: out.flatMap((pad) => ['-map', pad]) }
}

export const mapped = ({ video, audio }: Streams): string[] =>
  [...(video === null ? [] : [video]), ...audio.map(({ index }) => index)].flatMap((index) => ['-map', `0:${index}`])

/** A list for the concat reader; the names are ours. */
export const listOf = (names: readonly string[]): string => names.map((name) => `file '${name}'\n`).join('')
