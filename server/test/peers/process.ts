/** Starts programs that tests talk to, on loopback and free ports, and ends them again by their process id. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Why a suite cannot run here, or false: node:test's `skip`. */
export function missing(what: string, ...files: string[]): string | false {
  const gone = files.filter((file) => !existsSync(file))
  return gone.length > 0 && `${what} is not installed here (no ${gone.join(', ')}): npm run setup -- --test brings it`
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  return ports
}

export interface Peer {
  child: ChildProcess
  /** What it has printed. */
  said(): string
  stop(): Promise<void>
}

/** `uid` is lent to programs that refuse to run as root. */
export function startPeer(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  uid: number | null = null,
): Peer {
  const as = uid === null ? [] : [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  // Should the test be killed, its peers go with it.
  const child = spawn('/usr/bin/setpriv', [...as, '--pdeathsig', 'KILL', '--', command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said = `${said}${text}`.slice(-100_000)
    })
  const gone = once(child, 'close').catch(() => {})
  return {
    child,
    said: () => said,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await gone
    },
  }
}

/** Until something listens; what the peer said is told when it never does. */
export async function listening(port: number, peer: Peer): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await answers(port)) return
    if (peer.child.exitCode !== null) break
    await sleep(50)
  }
  throw new Error(`nothing listens on ${port}: ${peer.said()}`)
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
