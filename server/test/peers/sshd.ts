/**
 * Debian's sshd with a host key, a configuration and a home of its own, for the user who runs the tests. Logging in with
 * a password needs root: then there is a user for as long as the test runs, and it is gone afterwards.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts, listening, missing, startPeer } from './process.ts'

const run = promisify(execFile)
const SSHD = '/usr/sbin/sshd'

export const noSshd = missing('OpenSSH', SSHD, '/usr/bin/ssh-keygen')
export const isRoot = process.getuid?.() === 0
export const noPasswords = noSshd || (!isRoot && 'logging in with a password can be tried as root only')

export interface Sshd {
  port: number
  user: string
  /** A folder on the server that the user may write to. */
  home: string
  key: string
  lockedKey: string
  passphrase: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
  /** Its line of known_hosts, without the host. */
  hostKey: string
  /** A user with a password; only as root. */
  withPassword: { user: string; password: string } | null
  [Symbol.asyncDispose](): Promise<void>
}

export async function startSshd(password: string, passphrase: string): Promise<Sshd> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-sshd-'))
  // sshd asks who could change the key files: the folder above must be ours alone, or everybody's to pass only.
  await chmod(dir, 0o755)
  const [port = 0] = await freePorts(1)
  const user = userInfo().username
  const home = join(dir, 'home')
  await mkdir(home)
  const keygen = (name: string, secret = '') =>
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', secret, '-C', '', '-f', join(dir, name)])
  await Promise.all([keygen('host'), keygen('user'), keygen('locked', passphrase)])
  const text = (name: string) => readFile(join(dir, name), 'utf8')
  await writeFile(join(dir, 'authorized'), (await text('user.pub')) + (await text('locked.pub')), { mode: 0o600 })
  // Its folder for the child without rights; the package's own service makes it otherwise.
  const madeRun = isRoot && !existsSync('/run/sshd')
  if (madeRun) await mkdir('/run/sshd', { mode: 0o755 })
  const guest = isRoot ? await addGuest(dir, password) : null
  await writeFile(join(dir, 'config'), configuration(dir, port, guest?.user))
  const peer = startPeer(SSHD, ['-D', '-e', '-f', join(dir, 'config')])
  const stop = async () => {
    await peer.stop()
    if (guest) await removeGuest(guest.user)
    if (madeRun) await rm('/run/sshd', { recursive: true, force: true })
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await listening(port, peer)
    const { stdout } = await run('ssh-keygen', ['-l', '-f', join(dir, 'host.pub')])
    const fingerprint = stdout.split(' ')[1] ?? ''
    return {
      port,
      user,
      home,
      key: await text('user'),
      lockedKey: await text('locked'),
      passphrase,
      fingerprint,
      hostKey: (await text('host.pub')).trim(),
      withPassword: guest && { user: guest.user, password },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A local user that can do nothing but SFTP here. */
async function addGuest(dir: string, password: string): Promise<{ user: string }> {
  await removeLeft()
  const user = `reforge-test-${process.pid}`
  await run('/usr/sbin/useradd', [
    '--no-create-home',
    '--home-dir',
    join(dir, 'guest'),
    '--shell',
    '/usr/sbin/nologin',
    user,
  ])
  const set = spawn('/usr/sbin/chpasswd', { stdio: ['pipe', 'ignore', 'ignore'] })
  set.stdin.end(`${user}:${password}\n`)
  await new Promise((done) => set.on('close', done))
  await mkdir(join(dir, 'guest'))
  await run('chown', [user, join(dir, 'guest')])
  return { user }
}

/** Guests of tests that were killed before they could clean up. */
async function removeLeft(): Promise<void> {
  for (const [, user = '', pid = ''] of (await readFile('/etc/passwd', 'utf8')).matchAll(/^(reforge-test-(\d+)):/gm))
    if (!existsSync(`/proc/${pid}`)) await removeGuest(user)
}

const removeGuest = (user: string) => run('/usr/sbin/userdel', ['--force', user]).catch(() => {})

const configuration = (dir: string, port: number, guest: string | undefined) => `Port ${port}
ListenAddress 127.0.0.1
HostKey ${dir}/host
PidFile none
AuthorizedKeysFile ${dir}/authorized
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication ${guest ? 'yes' : 'no'}
KbdInteractiveAuthentication no
Subsystem sftp internal-sftp
LogLevel ERROR
`
