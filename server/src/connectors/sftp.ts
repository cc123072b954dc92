/** Files on an SSH server, with a password or a private key. The socket is the guard's; ssh2 only speaks over it. */
import { posix } from 'node:path'
import type { Stats } from 'ssh2'
import { Failure } from '../core/errors.ts'
import type { Guard } from '../net/guard.ts'
import { connectSftp, type Session, type SftpAccess } from './sftp-session.ts'
import { readAhead, writeAll } from './sftp-transfer.ts'
import type { Opened, Parcel, Storage } from './storage.ts'
import { changed, Passing } from './trouble.ts'

export type { SftpAccess } from './sftp-session.ts'

const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3
const NO_CONNECTION = new Set([6, 7])

export function openSftp(access: SftpAccess, guard: Guard, signal: AbortSignal): Storage {
  const { host } = access
  let session: Session | null = null

  async function connected(): Promise<Session> {
    if (!session?.alive()) session = await connectSftp(access, guard, signal)
    return session
  }

  function inWords(error: unknown, path: string): Failure {
    if (error instanceof Failure) return error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const what = `"${path}" on ${host}`
    if (code === NO_SUCH_FILE) return new Failure('processing_failed', `${what} does not exist.`)
    if (code === PERMISSION_DENIED)
      return new Failure('insufficient_permission', `${access.username} has no right to ${what}.`)
    if (!session?.alive() || (typeof code === 'number' && NO_CONNECTION.has(code)))
      return new Passing(`The connection to ${host} broke off.`)
    return new Failure('processing_failed', `${host} refused ${what}.`, String(code))
  }

  async function trying<T>(path: string, work: (live: Session) => Promise<T>): Promise<T> {
    try {
      return await work(await connected())
    } catch (error) {
      signal.throwIfAborted()
      throw inWords(error, path)
    }
  }

  const open: Storage['open'] = (path, { start, version }) =>
    trying(path, async (live): Promise<Opened> => {
      const handle = await live.call<Buffer>((done) => live.sftp.open(path, 'r', done))
      const stats = await live.call<Stats>((done) => live.sftp.fstat(handle, done))
      const now = `${stats.size}-${stats.mtime}`
      if (stats.isDirectory()) throw new Failure('processing_failed', `"${path}" on ${host} is a folder, not a file.`)
      if (version !== null && version !== now) throw changed(`"${path}" on ${host}`)
      return { body: reading(live, handle, path, start, stats.size), size: stats.size, start, version: now }
    })

  async function* reading(live: Session, handle: Buffer, path: string, start: number, end: number) {
    try {
      yield* readAhead(live, handle, start, end)
    } catch (error) {
      throw inWords(error, path)
    } finally {
      if (live.alive()) live.sftp.close(handle, () => {})
    }
  }

  /** Under another name until it is whole. The same name each time: a try that died leaves nothing further behind. */
  const put = (parcel: Parcel) =>
    trying(parcel.name, async (live) => {
      const folder = posix.dirname(parcel.name)
      const part = posix.join(folder, `.${posix.basename(parcel.name).slice(0, 200)}.reforge-part`)
      const handle = await create(live, part, folder)
      try {
        await writeAll(live, handle, parcel, signal)
        await live.call<void>((done) => live.sftp.close(handle, done))
        await moveInto(live, part, parcel.name)
        return {}
      } catch (error) {
        if (live.alive()) await live.call<void>((done) => live.sftp.unlink(part, done)).catch(() => {})
        throw error
      }
    })

  return { host, open, put, close: () => session?.end() }
}

type Live = Pick<Session, 'sftp' | 'call'>

async function create({ sftp, call }: Live, path: string, folder: string): Promise<Buffer> {
  const open = () => call<Buffer>((done) => sftp.open(path, 'w', done))
  try {
    return await open()
  } catch (error) {
    if ((error as { code?: unknown }).code !== NO_SUCH_FILE) throw error
    await makeFolders({ sftp, call }, folder)
    return open()
  }
}

async function makeFolders({ sftp, call }: Live, folder: string): Promise<void> {
  if (folder === '.' || folder === '/') return
  const there = await call<Stats>((done) => sftp.stat(folder, done)).then(
    () => true,
    () => false,
  )
  if (there) return
  await makeFolders({ sftp, call }, posix.dirname(folder))
  // Another task may have made it in the meantime.
  await call<void>((done) => sftp.mkdir(folder, done)).catch(async (error) => {
    await call<Stats>((done) => sftp.stat(folder, done)).catch(() => Promise.reject(error))
  })
}

/** In one step where the server can; otherwise what is there has to go first. */
async function moveInto({ sftp, call }: Live, from: string, to: string): Promise<void> {
  try {
    await call<void>((done) => sftp.ext_openssh_rename(from, to, done))
  } catch {
    await call<void>((done) => sftp.rename(from, to, done)).catch(async () => {
      await call<void>((done) => sftp.unlink(to, done))
      await call<void>((done) => sftp.rename(from, to, done))
    })
  }
}
