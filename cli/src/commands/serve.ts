/** reforge serve: the server itself, in the foreground, as `npm start` runs it. */

import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { dataFolder, ROOT } from '../connect.ts'
import { handOver, serverEnvironment } from '../hand-over.ts'

export const serve: Command = {
  summary: 'Start the server, in the foreground.',
  about: ['Settings come from the environment, as with npm start; Ctrl-C stops it when running tasks had a moment.'],
  flags: ['port', 'host', 'data', 'role', 'engines', 'lanes'],
  examples: [
    ['reforge serve', 'at https://localhost:8443'],
    ['reforge serve --port 9443 --data ~/reforge-data', 'elsewhere'],
    ['reforge serve --role worker --engines office,ffmpeg', 'one machine of many, that runs only these'],
  ],
  run(context) {
    const { values, env } = context
    const own = {
      REFORGE_DATA: values.data ? resolve(values.data) : dataFolder(env),
      ...(values.port && { REFORGE_PORT: values.port }),
      ...(values.host && { REFORGE_HOST: values.host }),
      ...(values.role && { REFORGE_ROLE: values.role }),
      ...(values.engines && { REFORGE_ENGINES: values.engines }),
      ...(values.lanes && { REFORGE_LANES: values.lanes }),
    }
    return handOver(context, 'server/src/main.ts', [], { cwd: ROOT, env: serverEnvironment(env, own) })
  },
}
