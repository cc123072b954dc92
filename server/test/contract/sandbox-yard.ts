/** The ground the sandbox contract is played on: folders, secrets to be stolen, marks to find processes again. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../src/ports/sandbox.ts'

export interface Yard {
  root: string
  /** Never to be seen in a box. */
  canary: string
  canaryFile: string
  folder(): Promise<string>
  remove(): Promise<void>
}

export interface Here {
  /** A further one, to be closed by the test. */
  open(): Promise<Sandbox>
  sandbox: Sandbox
  yard: Yard
  isolates: boolean
}

export async function createYard(): Promise<Yard> {
  const root = await mkdtemp(join(tmpdir(), 'reforge-yard-'))
  // A server run by root boxes as somebody else, who has to get to the folders.
  await chmod(root, 0o755)
  const canary = `canary-${randomUUID()}`
  const canaryFile = join(root, 'secret.txt')
  await writeFile(canaryFile, canary, { mode: 0o644 })
  return {
    root,
    canary,
    canaryFile,
    async folder() {
      const path = await mkdtemp(join(root, 'work-'))
      await chmod(path, 0o755)
      return path
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** A number no other process waits for: `sleep` with it is found by its command line. */
export const mark = (): string => `3${Math.floor(Math.random() * 1e9)}.${process.pid}`

export async function running(marked: string): Promise<number> {
  const lines = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.split('\0').includes(marked)).length
}

/** A process of the host with the word in its arguments and environment. */
export function openNeighbour(word: string) {
  const child = spawn('/bin/sh', ['-c', 'read line', word], {
    env: { WORD: word },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    pid: child.pid,
    lives: (): boolean => child.exitCode === null && child.signalCode === null,
    [Symbol.asyncDispose](): Promise<void> {
      child.stdin.end()
      return gone
    },
  }
}

/** Counts who calls. */
export async function openListener() {
  let hits = 0
  const server = createServer((socket) => {
    hits++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    hits: (): number => hits,
    [Symbol.asyncDispose]: (): Promise<void> => new Promise((resolve) => server.close(() => resolve())),
  }
}
