/** The command line as a user runs it: its own process, in a pipe or in a terminal, against a real server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { picture } from '../../server/test/support/pictures.ts'
import { NODE, startServer, type TestServer } from '../../server/test/support/server.ts'
import { tempDir } from '../../server/test/support/temp-dir.ts'

export const MAIN = join(import.meta.dirname, '../src/main.ts')

type Environment = Record<string, string | undefined>

export interface Ran {
  code: number
  out: string
  err: string
}

export interface Ground {
  readonly server: TestServer
  readonly png: Buffer
  /** A folder with these pictures. */
  folder(t: TestContext, ...names: string[]): Promise<string>
  start(cwd: string, args: readonly string[], env?: Environment): ReturnType<typeof startIn>
  run(cwd: string, args: readonly string[], env?: Environment, input?: string | Buffer): Promise<Ran>
  /** In a terminal of 100 columns; what it showed is all in `out`. */
  terminal(cwd: string, args: readonly string[], env?: Environment): ReturnType<typeof startIn>
}

function startIn(program: string, args: readonly string[], cwd: string, env: Environment) {
  const child = spawn(program, args, { cwd, env })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  // It may end without reading all we say.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code]): Ran => ({ code, out, err }))
  return { child, ended, shown: () => out }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function ground(env: Record<string, string> = {}): Ground {
  let server: TestServer
  let png: Buffer
  before(async () => {
    server = await startServer({ env })
    png = await picture('png')
  })
  after(() => server?.[Symbol.asyncDispose]())

  /** The certificate is found by itself, in the data folder. */
  const environment = (cwd: string): Environment => ({
    ...NODE,
    REFORGE_URL: server.url,
    REFORGE_API_KEY: server.key,
    REFORGE_DATA: server.data,
    XDG_CONFIG_HOME: join(cwd, '.config'),
    XDG_CACHE_HOME: join(server.data, 'cache'),
  })
  const start: Ground['start'] = (cwd, args, own = {}) =>
    startIn(process.execPath, [MAIN, ...args], cwd, { ...environment(cwd), ...own })

  return {
    get server() {
      return server
    },
    get png() {
      return png
    },
    async folder(t, ...names) {
      const { path, remove } = await tempDir()
      t.after(remove)
      for (const name of names) await writeFile(join(path, name), png)
      return path
    },
    start,
    run(cwd, args, own, input = '') {
      const { child, ended } = start(cwd, args, own)
      child.stdin.end(input)
      return ended
    },
    terminal(cwd, args, own = {}) {
      const typed = [process.execPath, MAIN, ...args].map(quoted).join(' ')
      const all = { ...environment(cwd), TERM: 'xterm-256color', SHELL: '/bin/sh', ...own }
      // `script`, which every Debian has, makes the terminal; what we write to its input is typed there.
      return startIn('script', ['-qec', `stty cols 100 rows 40; exec ${typed}`, '/dev/null'], cwd, all)
    },
  }
}
