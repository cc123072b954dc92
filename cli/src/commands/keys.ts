/** reforge keys: handed to the server's own administration, which works on the data folder and needs no running server. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { dataFolder } from '../connect.ts'

const ADMIN = resolve(import.meta.dirname, '../../../server/src/admin.ts')

export const keys = {
  usage: 'reforge keys create --user you@example.org [--name my-key] [--scopes tasks:read,tasks:write]',
  summary: 'Make an API key, on the machine of the server.',
  run(args: readonly string[]): Promise<number> {
    const env = { ...process.env, REFORGE_DATA: dataFolder(process.env) }
    const child = spawn(process.execPath, [ADMIN, 'keys', ...args], { stdio: 'inherit', env })
    return new Promise((done, fail) => {
      child.on('error', fail)
      child.on('close', (code, signal) => done(signal ? 128 + constants.signals[signal] : (code ?? 1)))
    })
  },
}
