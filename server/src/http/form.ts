/**
 * A form with a file, as multipart/form-data (RFC 7578): its fields, then the file, which streams. Uploads are what the
 * server spends most of its time on, and a search by the runtime itself with one stream behind it costs a third of what a
 * parser made of streams does. What comes is not to be trusted: whatever is held back until more comes has a limit.
 */
import { Readable } from 'node:stream'
import { parametersOf, unquoted } from '../core/parameters.ts'

/** It breaks off, or is not a form. */
export class BrokenForm extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BrokenForm'
  }
}

export interface FormFile {
  /** Of its field. */
  name: string
  /** '' where none was given. */
  filename: string
  /** Ends where the file does; what follows it in the form is thrown away. */
  body: Readable
  /** Bytes of it that have come. */
  received(): number
}

export interface Form {
  /** Those that came before the file. */
  fields: ReadonlyMap<string, string>
  /** Null when there is none. */
  file: FormFile | null
}

export interface FormLimits {
  fields: number
  /** Bytes of a field. */
  field: number
}

/** Bytes of what is written above a part. */
const HEAD = 16 * 1024
/** RFC 2046; the blanks behind it are for nobody. */
const LONGEST_BOUNDARY = 70
const [CR, DASH] = [0x0d, 0x2d]
const LINE = Buffer.from('\r\n')
const BLANK_LINE = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)

export const isForm = (contentType: string | undefined): boolean =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? '')

function boundaryOf(contentType: string): string {
  const boundary = unquoted(parametersOf(contentType).get('boundary') ?? '')
  if (boundary === '' || boundary.length > LONGEST_BOUNDARY || /[^\x20-\x7e]/.test(boundary))
    throw new BrokenForm('it names no boundary')
  return boundary
}

/** What a part is for, by the lines above it; null for one without a name. */
function labelOf(head: string): { name: string; filename: string | null } | null {
  const line = (name: RegExp): string => head.split('\r\n').find((one) => name.test(one)) ?? ''
  const given = parametersOf(line(/^content-disposition:/i))
  const name = given.get('name')
  if (name === undefined) return null
  const filename = extended(given.get('filename*')) ?? textOf(given.get('filename'))
  const isBytes = /^content-type:\s*application\/octet-stream\b/i.test(line(/^content-type:/i))
  return { name: textOf(name) ?? '', filename: filename ?? (isBytes ? '' : null) }
}

/** Read as one character a byte; everybody means UTF-8. */
const textOf = (value: string | undefined): string | null =>
  value === undefined ? null : Buffer.from(unquoted(value), 'latin1').toString()

/** As some libraries write names that are not ASCII. */
function extended(value: string | undefined): string | null {
  const [, text] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? []
  try {
    return text === undefined ? null : decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Where a delimiter may have begun whose rest is still to come. It has no other CR than its first byte. */
function doubtful(bytes: Buffer, delimiter: Buffer): number {
  const at = bytes.lastIndexOf(CR)
  const tail = at < 0 ? NOTHING : bytes.subarray(at)
  const begins = tail.length < delimiter.length && tail.equals(delimiter.subarray(0, tail.length))
  return begins ? at : bytes.length
}

/** Answers when the file begins, or the form has ended without one. Throws a BrokenForm, or what broke the stream. */
export function readForm(source: Readable, contentType: string, limits: FormLimits): Promise<Form> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1')
  const { promise, resolve, reject } = Promise.withResolvers<Form>()
  const fields = new Map<string, string>()
  let reads: 'part' | 'delimiter' | 'head' = 'part'
  // So that the first delimiter is like all others, though nothing comes before it.
  let held: Buffer = LINE
  let field: { name: string; pieces: Buffer[]; length: number } | null = null
  let file: Readable | null = null
  let received = 0
  let begun = 0

  function begin(head: string): void {
    const label = labelOf(head)
    if (label && label.filename === null) {
      if (++begun > limits.fields) throw new BrokenForm('it has too many fields')
      field = { name: label.name, pieces: [], length: 0 }
    } else if (label) {
      file = new Readable({ read: () => void source.resume(), destroy: closed })
      // It may break before anybody listens; whoever reads it then is told.
      file.on('error', () => {})
      resolve({
        fields,
        file: { name: label.name, filename: label.filename ?? '', body: file, received: () => received },
      })
    }
  }

  function take(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (file) {
      received += bytes.length
      if (!file.push(bytes)) source.pause()
    } else if (field) {
      field.length += bytes.length
      if (field.length > limits.field)
        throw new BrokenForm(`the field "${field.name}" has more than ${limits.field} bytes`)
      field.pieces.push(bytes)
    }
  }

  function end(): void {
    if (field) fields.set(field.name, Buffer.concat(field.pieces).toString())
    field = null
    if (!file) return
    leave()
    file.push(null)
  }

  /** Reads one thing of what is there; null when more must come first. */
  function step(bytes: Buffer): Buffer | null {
    if (reads === 'part') {
      const at = bytes.indexOf(delimiter)
      const until = at < 0 ? doubtful(bytes, delimiter) : at
      take(bytes.subarray(0, until))
      if (at < 0) return hold(bytes.subarray(until), delimiter.length)
      end()
      reads = 'delimiter'
      return bytes.subarray(at + delimiter.length)
    }
    if (reads === 'delimiter') {
      const at = bytes.indexOf(LINE)
      if (bytes[0] === DASH && bytes[1] === DASH) return finish()
      if (at < 0) return hold(bytes, HEAD)
      if (!/^[ \t]*$/.test(bytes.toString('latin1', 0, at))) throw new BrokenForm('there is more behind a boundary')
      reads = 'head'
      // The line's end stays, for a part without a head begins with a blank line at once.
      return bytes.subarray(at)
    }
    const at = bytes.indexOf(BLANK_LINE)
    if (at < 0 || at > HEAD) return hold(bytes, HEAD)
    reads = 'part'
    begin(bytes.toString('latin1', 0, at))
    return bytes.subarray(at + BLANK_LINE.length)
  }

  function hold(bytes: Buffer, most: number): null {
    if (bytes.length > most) throw new BrokenForm('the head of a part is too long')
    held = bytes
    return null
  }

  function finish(): null {
    leave()
    resolve({ fields, file: null })
    return null
  }

  function write(chunk: Buffer): void {
    try {
      let rest: Buffer | null = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      held = NOTHING
      while (rest && isReading) rest = step(rest)
    } catch (error) {
      fail(error as Error)
    }
  }

  let isReading = true
  const brokeOff = (): void => fail(new BrokenForm('it ends too early'))
  /** The rest is thrown away, so that whoever sends it is heard to the end. */
  function leave(): void {
    isReading = false
    source.off('data', write).off('end', brokeOff).off('close', brokeOff).off('error', fail)
    source.on('error', () => {})
    source.resume()
  }
  function fail(error: Error): void {
    leave()
    if (file) file.destroy(error)
    else reject(error)
  }
  function closed(error: Error | null, done: (error: Error | null) => void): void {
    if (isReading) leave()
    done(error)
  }

  source.on('data', write).on('end', brokeOff).on('close', brokeOff).on('error', fail)
  return promise
}
