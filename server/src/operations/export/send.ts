/** Sends the files of tasks to a storage, one after another, and lists what was written. */
import { Type } from 'typebox'
import { extOf, formatOf } from '../../catalog/formats.ts'
import { again } from '../../connectors/again.ts'
import type { Storage } from '../../connectors/storage.ts'
import type { Issue } from '../../core/errors.ts'
import { bareName, numbered, resultName } from '../../core/filename.ts'
import { newId } from '../../core/ids.ts'
import type { JsonObject, TaskFile } from '../../core/task.ts'
import { given } from '../access/fields.ts'
import type { Outcome, RunContext } from '../operation.ts'
import { freeName } from './zip.ts'

const header = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }))

/** What a storage says when it serves the file. */
export const served = {
  content_type: header('Media type of the files; by default that of their format.'),
  content_disposition: header('How browsers treat the files, such as `attachment; filename="a.pdf"`.'),
  cache_control: header('How long the files may be kept in caches, such as `max-age=3600`.'),
}

export function checkServed(params: Readonly<Record<string, unknown>>): Issue[] {
  return Object.keys(served)
    .filter((name) => typeof params[name] === 'string' && !/^[\x20-\x7e]*$/.test(params[name]))
    .map((path) => ({ path, message: 'must have letters, digits and signs of ASCII only.' }))
}

interface Params {
  filename?: string
  content_type?: string
  content_disposition?: string
  cache_control?: string
  acl?: string
}

export interface Aim {
  /** The whole name, or what names begin with. */
  name?: string | undefined
  prefix?: string | undefined
  /** How the result tells what was written. */
  tell(name: string): JsonObject
}

export async function send(context: RunContext<Params>, storage: Storage, aim: Aim): Promise<Outcome> {
  const { inputs, params, signal } = context
  const names = namesOf(inputs, params.filename, aim)
  const all = inputs.reduce((sum, { size }) => sum + size, 0)
  const written: JsonObject[] = []
  let before = 0
  try {
    for (const [index, file] of inputs.entries()) {
      const name = names[index] ?? file.filename
      const parcel = {
        name,
        size: file.size,
        read: () => context.read(file),
        type: params.content_type || typeOf(file),
        disposition: params.content_disposition || undefined,
        cacheControl: params.cache_control || undefined,
        acl: params.acl,
        progress: (bytes: number) => all > 0 && context.progress(((before + bytes) / all) * 100),
      }
      const { etag } = await again(() => storage.put(parcel), signal)
      before += file.size
      const shown = { filename: name.split('/').at(-1) ?? name, size: file.size, format: file.format }
      written.push({ ...aim.tell(name), ...shown, ...(etag && { etag }) })
    }
  } finally {
    storage.close()
  }
  // "Their result lists what was written, without a `url`." The bytes stay ours too: another task may take them on.
  const files = inputs.map((file) => ({ ...file, id: newId(Date.now()) }))
  return { files, more: { ...written[0], files: written } }
}

const typeOf = ({ format }: TaskFile): string => {
  const ext = extOf(format)
  return ext ? formatOf(ext).mime : 'application/octet-stream'
}

/** One name for each file, none twice: the second `a.pdf` must not replace the first. */
export function namesOf(
  inputs: readonly Pick<TaskFile, 'filename' | 'format'>[],
  filename: string | undefined,
  { name, prefix = '' }: Omit<Aim, 'tell'>,
): string[] {
  const taken = new Set<string>()
  return inputs.map((file, index) => {
    const several = inputs.length > 1
    if (given(name)) return several ? numberedPath(name, index + 1) : name
    const whole = given(filename) ? resultName(file.filename, file.format, filename, extOf) : bareName(file.filename)
    const free = freeName(given(filename) && several ? numbered(whole, index + 1) : whole, taken)
    taken.add(free.toLowerCase())
    return prefix + free
  })
}

/** Only the last part of a path is the name of the file. */
function numberedPath(path: string, index: number): string {
  const cut = path.lastIndexOf('/') + 1
  return path.slice(0, cut) + numbered(path.slice(cut), index)
}
