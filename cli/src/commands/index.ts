/** The commands, in the order help shows them. */
import type { Commands } from '../command.ts'
import { createCompletion } from './completion.ts'
import { compress } from './compress.ts'
import { convert } from './convert.ts'
import { crop } from './crop.ts'
import { doctor } from './doctor.ts'
import { formats } from './formats.ts'
import { createHelp } from './help.ts'
import { jobs } from './jobs.ts'
import { keys } from './keys.ts'
import { login, logout } from './login.ts'
import { merge } from './merge.ts'
import { migrate } from './migrate.ts'
import { options } from './options.ts'
import { run } from './run.ts'
import { serve } from './serve.ts'
import { trim } from './trim.ts'
import { usageCommand } from './usage.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

const all = (): Commands => COMMANDS

export const COMMANDS: Commands = {
  convert,
  compress,
  merge,
  crop,
  trim,
  formats,
  options,
  run,
  jobs,
  keys,
  usage: usageCommand,
  users,
  webhooks,
  login,
  logout,
  doctor,
  serve,
  migrate,
  completion: createCompletion(all),
  help: createHelp(all),
}
