/**
 * A letter taken apart: header lines and parts, as RFC 5322 and MIME (RFC 2045–2047, 2231) have them, and as letters really
 * are. Everything is bounded: a letter may be made to hold parts in parts without end. Pure; it runs inside a box.
 */
export interface Part {
  headers: ReadonlyMap<string, string>
  /** In small letters: `text/html`. */
  type: string
  parameters: ReadonlyMap<string, string>
  /** Where the letter says how it is meant: `inline`, `attachment`, or nothing. */
  disposition: string
  filename: string
  /** One letter a byte. */
  content: string
  parts: readonly Part[]
}

const MOST_PARTS = 2000
const DEEPEST = 20
const MOST_HEADER = 256 * 1024

/** The text of bytes in a code that the letter names, whatever it names. */
export function decoded(bytes: Uint8Array, code: string): string {
  try {
    return new TextDecoder(code.trim() || 'utf-8', { fatal: code.trim() === '' }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export function unquoted(text: string): string {
  return text
    .replaceAll(/[ \t]{1,200}(?=\r?\n)/g, '')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const ENCODED = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi

/** "=?utf-8?q?caf=C3=A9?=" and its like. White space between two of them is not part of the text. */
export function words(header: string): string {
  // Letters that are not ASCII should not be there; most often they are UTF-8.
  const raw = decoded(Buffer.from(header, 'latin1'), '')
  return raw.replaceAll(/(\?=)\s+(?==\?)/g, '$1').replaceAll(ENCODED, (_, code: string, how: string, text: string) => {
    const bytes =
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : Buffer.from(unquoted(text.replaceAll('_', ' ')), 'latin1')
    return decoded(bytes, code)
  })
}

function headersOf(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.slice(0, MOST_HEADER).split(/\r?\n(?![ \t])/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !headers.has(name))
      headers.set(
        name,
        line
          .slice(colon + 1)
          .replaceAll(/\r?\n/g, '')
          .trim(),
      )
  }
  return headers
}

const PARAMETER = /;\s*([\w-]{1,60})(\*?\d*\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g

/** `name="value"`; also in pieces (`name*0=`) and with a code (`name*=utf-8''caf%C3%A9`). */
function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  let code = ''
  for (const [, name = '', mark = '', quoted, bare = ''] of header.slice(0, 8192).matchAll(PARAMETER)) {
    let value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
    if (mark.endsWith('*')) {
      const [, said, rest] = /^([\w-]*)'[^']*'(.*)$/s.exec(value) ?? []
      code = said ?? code
      const bytes = (rest ?? value).replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      value = decoded(Buffer.from(bytes, 'latin1'), code)
    }
    const key = name.toLowerCase()
    parameters.set(key, /\d/.test(mark) ? (parameters.get(key) ?? '') + value : value)
  }
  return parameters
}

/** What is between the lines that only say the boundary. */
function between(text: string, boundary: string): string[] {
  const mark = `--${boundary}`
  const found: string[] = []
  let start = -1
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    if (at > 0 && text[at - 1] !== '\n') continue
    const rest = /^(--)?[ \t]*(?:\r?\n|$)/.exec(text.slice(at + mark.length, at + mark.length + 200))
    if (!rest) continue
    if (start >= 0) found.push(text.slice(start, at).replace(/\r?\n$/, ''))
    start = at + mark.length + rest[0].length
    if (rest[1]) return found
  }
  // Cut off, perhaps: what is there is shown.
  if (start >= 0 && start < text.length) found.push(text.slice(start))
  return found
}

export function partOf(text: string, count = { parts: 0 }, depth = 0): Part {
  count.parts += 1
  const start = text.startsWith('\n') || text.startsWith('\r\n')
  const gap = start ? /^\r?\n/.exec(text) : /\r?\n\r?\n/.exec(text)
  const head = start ? '' : text.slice(0, gap?.index ?? text.length)
  const content = gap ? text.slice(gap.index + gap[0].length) : ''
  const headers = headersOf(head)
  const said = headers.get('content-type') ?? 'text/plain'
  const type = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(said)?.[1]?.toLowerCase() ?? 'text/plain'
  const parameters = parametersOf(said)
  const placed = headers.get('content-disposition') ?? ''
  const filename = words(parametersOf(placed).get('filename') ?? parameters.get('name') ?? '')
  const boundary = parameters.get('boundary') ?? ''
  const inner = type.startsWith('multipart/') && boundary !== '' && depth < DEEPEST ? between(content, boundary) : []
  const parts: Part[] = []
  for (const each of inner) if (count.parts < MOST_PARTS) parts.push(partOf(each, count, depth + 1))
  return {
    headers,
    type,
    parameters,
    filename,
    content,
    parts,
    disposition: placed.split(';')[0]?.trim().toLowerCase() ?? '',
  }
}

export function bytesOf({ headers, content }: Part): Buffer {
  const how = headers.get('content-transfer-encoding')?.toLowerCase().trim()
  if (how === 'base64') return Buffer.from(content, 'base64')
  return Buffer.from(how === 'quoted-printable' ? unquoted(content) : content, 'latin1')
}

export const textOfPart = (part: Part): string => decoded(bytesOf(part), part.parameters.get('charset') ?? '')
