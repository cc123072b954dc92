/** Brings objects of a storage in, a few at a time: resumed where a connection breaks, never held in memory. */
import { again, openSteadily } from '../../connectors/again.ts'
import type { Listed, Storage } from '../../connectors/storage.ts'
import { Failure } from '../../core/errors.ts'
import { bareName, numbered } from '../../core/filename.ts'
import type { TaskFile } from '../../core/task.ts'
import type { Outcome, RunContext } from '../operation.ts'

/** Objects under way at a time, of one task. */
const AT_ONCE = 4

type Context = RunContext<{ filename?: string }>

/** One object by its name. */
export async function bringOne(context: Context, storage: Storage, name: string): Promise<Outcome> {
  const { signal, maxFileSize } = context
  try {
    const { size, body } = await openSteadily(storage, name, signal)
    if (size !== null && size > maxFileSize) throw tooLarge(name, maxFileSize)
    const filename = bareName(context.params.filename || name)
    return { files: [await context.receive(createMeter(size ?? 0, context)(body, signal), filename)] }
  } finally {
    storage.close()
  }
}

/** "Every object below the prefix becomes a file of that task", in the order of their keys. */
export async function bringAll(context: Context, storage: Storage, prefix: string): Promise<Outcome> {
  const failed = new AbortController()
  const signal = AbortSignal.any([context.signal, failed.signal])
  try {
    const objects = await again(() => listed(context, storage, prefix), signal)
    const meter = createMeter(
      objects.reduce((sum, { size }) => sum + size, 0),
      context,
    )
    const files: TaskFile[] = []
    const left = objects.entries()
    const carry = async () => {
      for (const [index, { name }] of left) {
        const { body } = await openSteadily(storage, name, signal)
        const given = context.params.filename
        const filename = given ? numbered(bareName(given), index + 1) : bareName(name)
        files[index] = await context.receive(meter(body, signal), filename)
      }
    }
    // Many small objects would otherwise mostly wait for answers.
    await Promise.all(Array.from({ length: AT_ONCE }, carry))
    return { files }
  } catch (error) {
    failed.abort(error)
    throw error
  } finally {
    storage.close()
  }
}

async function listed({ storages, maxFileSize }: Context, storage: Storage, prefix: string): Promise<Listed[]> {
  const most = storages.maxImportFiles
  const found: Listed[] = []
  for await (const object of storage.list?.(prefix) ?? []) {
    // How consoles show an empty folder; nobody means it as a file.
    if (object.name.endsWith('/') && object.size === 0) continue
    if (object.size > maxFileSize) throw tooLarge(object.name, maxFileSize)
    found.push(object)
    if (found.length > most)
      throw new Failure(
        'processing_failed',
        `There are more than ${most} objects below "${prefix}", and one task takes ${most} at most. ` +
          'Use a longer prefix; the operator of this server can raise REFORGE_MAX_IMPORT_FILES.',
      )
  }
  if (found.length === 0) throw new Failure('processing_failed', `There is no object below "${prefix}".`)
  return found.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}

const tooLarge = (name: string, most: number): Failure =>
  new Failure('processing_failed', `"${name}" is larger than the limit of ${most} bytes.`)

/** Tells how much of all bytes has come, over all the streams that pass through it. */
function createMeter(all: number, { progress }: Context) {
  let seen = 0
  return async function* metered(source: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    for await (const chunk of source) {
      signal.throwIfAborted()
      seen += chunk.length
      if (all > 0) progress((seen / all) * 100)
      yield chunk
    }
  }
}
