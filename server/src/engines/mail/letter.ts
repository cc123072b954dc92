/** A letter as a page or as plain text: who wrote to whom and when, what, and which files came along. Pure. */
import { cleaned, wordsOfPage } from './clean.ts'
import { bytesOf, type Part, partOf, textOfPart, words } from './parts.ts'

export interface Letter {
  text: string
  attachments: number
  remote: number
}

/** What a letter is made to become may not be endless: a picture can be shown many times. */
const MOST_OUT = 128 * 2 ** 20
export class TooMuch extends Error {}

const SHOWN = ['From', 'To', 'Cc', 'Date', 'Subject']
const PICTURE = /^image\/(?:png|jpe?g|gif|webp|bmp)$/

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const isText = ({ type, disposition, parts }: Part): boolean =>
  parts.length === 0 && disposition !== 'attachment' && (type === 'text/plain' || type === 'text/html')

const leaves = (part: Part): Part[] => (part.parts.length > 0 ? part.parts.flatMap(leaves) : [part])

/** Of several ways to say the same the wanted one, else the last, which the sender thinks the best. */
function chosen(part: Part, wanted: string): Part[] {
  if (part.type !== 'multipart/alternative') {
    return part.parts.length > 0 ? part.parts.flatMap((each) => chosen(each, wanted)) : isText(part) ? [part] : []
  }
  const ways = part.parts.map((each) => chosen(each, wanted)).filter((way) => way.length > 0)
  return ways.findLast((way) => way.some(({ type }) => type === wanted)) ?? ways.at(-1) ?? []
}

const idOf = ({ headers }: Part): string => (headers.get('content-id') ?? '').replaceAll(/^<|>$/g, '')

const nameOf = ({ filename, type }: Part): string =>
  filename
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, 200) || type

const sizeOf = (bytes: number): string => (bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`)

export function letterOf(source: string, to: 'html' | 'txt'): Letter {
  const letter = partOf(source.replace(/^From [^\n]*\n/, ''))
  const bodies = chosen(letter, to === 'html' ? 'text/html' : 'text/plain')
  const placed = new Set<Part>()
  const pictures = new Map(
    leaves(letter).flatMap((part) => (PICTURE.test(part.type) ? [[idOf(part), part] as const] : [])),
  )
  let [made, remote] = [0, 0]
  const pictureOf = (cid: string): string | null => {
    const part = pictures.get(cid) ?? pictures.get(cid.replaceAll('%40', '@'))
    if (!part || cid === '') return null
    placed.add(part)
    made += part.content.length
    if (made > MOST_OUT) throw new TooMuch('the pictures are shown too often')
    return `data:${part.type};base64,${bytesOf(part).toString('base64')}`
  }
  const shown = bodies.map((part) => {
    const text = textOfPart(part)
    if (to === 'txt') return part.type === 'text/html' ? wordsOfPage(text) : text.replaceAll('\r\n', '\n').trim()
    if (part.type === 'text/plain') return `<pre>${escaped(text.trim())}</pre>`
    const clean = cleaned(text, pictureOf)
    remote += clean.remote
    return `<div>${clean.html}</div>`
  })
  // In plain text the pictures of the page have no place, and are no files that were sent.
  const drawn = (part: Part): boolean => placed.has(part) || (to === 'txt' && idOf(part) !== '' && part.filename === '')
  const others = leaves(letter).filter((part) => !drawn(part) && !isText(part) && part.content.trim() !== '')
  const files = others.map((part) => `${nameOf(part)} (${sizeOf(bytesOf(part).length)})`)
  const lines = SHOWN.flatMap((name): [string, string][] => {
    const value = words(letter.headers.get(name.toLowerCase()) ?? '')
    return value === '' ? [] : [[name, value]]
  })
  const text = to === 'html' ? page(lines, shown, files) : plain(lines, shown, files)
  return { text, attachments: files.length, remote }
}

const plain = (lines: readonly [string, string][], bodies: readonly string[], files: readonly string[]): string =>
  `${[
    lines.map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...bodies,
    ...(files.length > 0 ? [`Attachments:\n${files.map((file) => `- ${file}`).join('\n')}`] : []),
  ].join('\n\n')}\n`

/** Whoever opens the page calls nobody by it. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
const STYLE =
  'body{font-family:sans-serif;margin:1em}.letter th{text-align:left;vertical-align:top;padding-right:1em}pre{white-space:pre-wrap;font-family:inherit}img{max-width:100%}'

function page(lines: readonly [string, string][], bodies: readonly string[], files: readonly string[]): string {
  const subject = lines.find(([name]) => name === 'Subject')?.[1] ?? 'Letter'
  const rows = lines.map(([name, value]) => `<tr><th>${name}</th><td>${escaped(value)}</td></tr>`).join('\n')
  const list = files.map((file) => `<li>${escaped(file)}</li>`).join('\n')
  const attached = files.length > 0 ? `<hr>\n<p>Attachments</p>\n<ul>\n${list}\n</ul>\n` : ''
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(subject)}</title><style>${STYLE}</style></head>
<body><table class="letter">${rows}</table>
<hr>
${bodies.join('\n')}
${attached}</body></html>
`
}
