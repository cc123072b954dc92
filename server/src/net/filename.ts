/**
 * What a downloaded file is called: by its `Content-Disposition` (RFC 6266), else by the address. Gives a bare name or
 * null; it must never let a path through.
 */
import { parametersOf, unquoted } from '../core/parameters.ts'
import { percentDecoded } from './target.ts'

export function nameFromDisposition(header: string): string | null {
  const found = parametersOf(header)
  // "recipients SHOULD pick filename* and ignore filename" (RFC 6266, 4.3)
  return extended(found.get('filename*')) ?? plain(found.get('filename'))
}

/** By the last address when that has an extension, else by the first: storage often hides behind a bare id. */
export function nameFromPaths(last: string, first: string): string | null {
  const names = [nameFromPath(last), nameFromPath(first)]
  return (
    names.find((name) => name !== null && /[^.]\.[^.\s]+$/.test(name)) ?? names.find((name) => name !== null) ?? null
  )
}

function nameFromPath(path: string): string | null {
  const [segment = ''] = (
    path
      .replace(/[?#].*$/s, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  ).split(';', 1)
  return bareName(percentDecoded(segment).toString('utf8'))
}

/** Header values arrive as one character a byte; many servers mean UTF-8. */
export function headerText(value: string): string {
  return decoded('utf-8', Buffer.from(value, 'latin1')) ?? value
}

function extended(value: string | undefined): string | null {
  const [, charset = '', text] = /^"?([\w-]+)'[^']*'([^"]*)"?$/.exec(value ?? '') ?? []
  if (text === undefined || !/^(utf-8|iso-8859-1)$/i.test(charset)) return null
  const name = decoded(charset, percentDecoded(text))
  return name === null ? null : bareName(name)
}

function plain(value: string | undefined): string | null {
  return value === undefined ? null : bareName(headerText(unquoted(value)))
}

function bareName(text: string): string | null {
  const name = (text.split(/[\\/]/).at(-1) ?? '').replace(/[\0-\x1f\x7f]/g, '').trim()
  return name === '' || name === '.' || name === '..' ? null : name
}

function decoded(charset: string, bytes: Buffer): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
