/** The version of this installation, from its package. */
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
