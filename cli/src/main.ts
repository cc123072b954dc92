#!/usr/bin/env node
/**
 * Starts the command line. What Node makes of our files is kept in the user's own cache, which takes a start from half a
 * second to a tenth; so the program itself is loaded only after that is switched on.
 */
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const { XDG_CACHE_HOME, HOME } = process.env
// Never the shared folder for temporary files: whoever writes there would decide what we run.
enableCompileCache(join(XDG_CACHE_HOME || join(HOME || homedir(), '.cache'), 'reforge/compiled'))
await import('./program.ts')
