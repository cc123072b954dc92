/** All English texts, by page. A page's own are in en/<page>.ts, so that pages can be written side by side. */
import { audit } from './en/audit.ts'
import { builder } from './en/builder.ts'
import { convert } from './en/convert.ts'
import { crop } from './en/crop.ts'
import { jobs } from './en/jobs.ts'
import { keys } from './en/keys.ts'
import { merge } from './en/merge.ts'
import { plans } from './en/plans.ts'
import { reference } from './en/reference.ts'
import { session } from './en/session.ts'
import { settings } from './en/settings.ts'
import { shared } from './en/shared.ts'
import { shell } from './en/shell.ts'
import { system } from './en/system.ts'
import { tools } from './en/tools.ts'
import { trim } from './en/trim.ts'
import { usage } from './en/usage.ts'
import { users } from './en/users.ts'
import { webhooks } from './en/webhooks.ts'
import { welcome } from './en/welcome.ts'

export const en = {
  audit,
  builder,
  convert,
  crop,
  jobs,
  keys,
  merge,
  plans,
  reference,
  session,
  settings,
  shared,
  shell,
  system,
  tools,
  trim,
  usage,
  users,
  webhooks,
  welcome,
}
