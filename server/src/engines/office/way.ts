/**
 * One document through LibreOffice: by the warm one that forks, or by one started for it alone where there is no other way
 * (what LibreOfficeKit cannot open, a machine without Landlock or compiler, a process that was lost). What comes back is
 * put into words here; LibreOffice's own go to the log.
 */
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import type { JsonObject } from '../../core/task.ts'
import type { BoxResult } from '../../ports/sandbox.ts'
import { patience } from '../kit/patience.ts'
import { FILTERS, IMPORTED, kindOf, OPEN_DOCUMENT } from './filters.ts'
import { LIBREOFFICE, zygote } from './zygote.ts'

/** What a hop of this engine needs, whatever its options. */
export type Hop = Pick<Work, 'does' | 'inputs' | 'input' | 'dir' | 'run' | 'ask' | 'signal'>

export interface Order {
  /** A file in the hop's folder; without it, the input. */
  from?: { name: string; format: Ext }
  to: Ext
  filter: string
  /** For LibreOffice, in the manner of the filter. */
  options?: string
  /** Opens the document. */
  password?: string | undefined
  /** Whoever opens the result needs it. */
  newPassword?: string | undefined
  /** How it is read, where that must be said: only a LibreOffice of its own listens to that. */
  infilter?: string
  /** LibreOfficeKit's own way of saving: without options, under the names it gives. */
  exported?: true
  /** What failing to save means, where it means something. */
  unsaved?: string
}

export const SOFFICE = { program: `${LIBREOFFICE}/soffice`, debian: 'libreoffice-core' } as const

/** Nothing is wrong with the document, as far as is known. */
const TRY_COLD = new Set(['unavailable', 'lost', 'refused', 'box-failed', 'crashed'])
const IN_OUT = 'file:///proc/self/cwd/out'

/** Answers the name of the result in the hop's folder. */
export async function convert(work: Hop, order: Order): Promise<string> {
  const name = `out.${order.to}`
  if (zygote === null) return await cold(work, order)
  if (order.infilter !== undefined)
    return order.newPassword === undefined ? await cold(work, order) : await inTwo(work, order, cold)
  const format = order.from?.format ?? work.input.format
  // These are read by libraries of their own, and what comes of it can be exported, but not saved.
  if (IMPORTED.includes(format) && !isExported(order)) return await inTwo(work, order, convert)
  const path = order.from ? join(work.dir, order.from.name) : work.input.path
  const { status, words } = await work.ask(zygote, question(order, format), path, join(work.dir, name))
  if (status === 'ok') return name
  if (typeof status === 'string' && TRY_COLD.has(status)) return await cold(work, order)
  if (status === 'save-failed' && canBeCold(order)) return await cold(work, order)
  throw failure(work, order, String(status), String(words))
}

/** Some documents, bare ones most of all, can be shown by the warm LibreOffice but not saved. */
const canBeCold = ({ password, newPassword, unsaved }: Order): boolean =>
  password === undefined && newPassword === undefined && unsaved === undefined

type Way = (work: Hop, order: Order) => Promise<string>

/** First as OpenDocument, by the way there is, then from there to what is wanted. */
async function inTwo(work: Hop, order: Order, first: Way): Promise<string> {
  const { password, infilter, ...rest } = order
  const kind = kindOf(work.input.format)
  const open = OPEN_DOCUMENT[kind]
  const how = infilter === undefined ? { exported: true as const } : { infilter }
  const name = await first(work, { ...how, to: open, filter: FILTERS[kind][open] ?? '', password })
  if (order.to === open && order.newPassword === undefined) return name
  // Or the result would take its place.
  const source = `open-document.${open}`
  await rename(join(work.dir, name), join(work.dir, source))
  return await convert(work, { ...rest, from: { name: source, format: open } })
}

/** What is exported rather than saved: LibreOfficeKit's own way, which leaves options in JSON alone. */
const EXPORTED: readonly Ext[] = ['pdf', 'svg']
const isExported = ({ to, exported }: Order): boolean => exported ?? EXPORTED.includes(to)

function question(order: Order, format: Ext): JsonObject {
  const { to, filter, options = '', password = '', newPassword } = order
  const text = (value: string): JsonObject => ({ type: 'string', value })
  const save = {
    URL: text(`${IN_OUT}/out.${to}`),
    FilterName: text(filter),
    FilterOptions: text(options),
    ...(newPassword !== undefined && { Password: text(newPassword) }),
  }
  const how: JsonObject = isExported(order) ? { format: to, options } : { save: JSON.stringify(save) }
  return { input: `in.${format}`, output: `out.${to}`, password, ...how }
}

async function cold(work: Hop, order: Order): Promise<string> {
  const { input } = work
  if (order.password !== undefined || order.newPassword !== undefined)
    throw new Failure('processing_failed', NO_PASSWORDS)
  const inside = `/in/0.${order.from?.format ?? input.format}`
  const to = [order.to, order.filter, order.options].filter(Boolean).join(':')
  const start = (profile: string): Promise<BoxResult> =>
    work.run({
      command: (at) => [
        SOFFICE.program,
        ...['--headless', '--norestore', '--nolockcheck', `-env:UserInstallation=file://${at(`/work/${profile}`)}`],
        ...(order.infilter === undefined ? [] : [`--infilter=${order.infilter}`]),
        ...['--convert-to', to, '--outdir', at('/work'), at(inside)],
      ],
      readOnly: { [inside]: order.from ? join(work.dir, order.from.name) : input.path },
      limits: { ...patience({ bytes: input.size, pages: 8 }), addressSpace: null },
    })
  const before = await readdir(work.dir)
  // It says 0 when it could not open the file, too: what it made decides. It takes the name of the file it read, perhaps
  // with that of a sheet.
  const made = async (): Promise<string | undefined> =>
    (await readdir(work.dir)).find((name) => name.endsWith(`.${order.to}`) && !before.includes(name))

  let { code, stderr, stdout } = await start('profile')
  if (code === 1 && (await made()) === undefined) {
    // With a new profile it starts twice; where the box has no file system of its own, the second cannot remove the socket
    // of the first, whose name comes from the profile's.
    await rename(join(work.dir, 'profile'), join(work.dir, 'profile-2')).catch(() => {})
    ;({ code, stderr, stdout } = await start('profile-2'))
  }
  const name = await made()
  if (name !== undefined) return name
  throw failure(work, order, 'load-failed', `${code} ${stderr}\n${stdout}`)
}

const NO_PASSWORDS =
  'Passwords of documents cannot be used here: they need the warm LibreOffice, and it is not available on this machine.'

function failure({ input }: Hop, order: Order, status: string, words: string): Failure {
  const { filename } = input
  const failed = (text: string): Failure => new Failure('processing_failed', text, `${status}: ${words}`)
  switch (status) {
    case 'password':
      return order.password === undefined
        ? failed(`"${filename}" is protected by a password. Add it as the option document_password.`)
        : failed(`The password in the option document_password does not open "${filename}".`)
    case 'timeout':
      return new Failure('engine_timeout', 'The conversion took longer than allowed.', words)
    case 'cancelled':
      return failed('The conversion wrote more than allowed.')
    case 'save-failed':
    case 'no-output':
      return failed(order.unsaved ?? `"${filename}" could not be saved as ${order.to}.`)
    default:
      return failed(
        `"${filename}" could not be read: it is damaged, incomplete or uses something that is not supported.`,
      )
  }
}
