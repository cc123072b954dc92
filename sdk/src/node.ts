/** The SDK for Node: everything of `@reforge/sdk`, files on disk, and certificates of one's own. */
import { nodeFetch } from './node-fetch.ts'
import { createReforge as create, type Reforge, type ReforgeOptions } from './reforge.ts'

export { fileFromPath, type Saved, type SaveOptions, save } from './disk.ts'
export * from './index.ts'
export { nodeFetch }

/** As in `@reforge/sdk`, and `ca` is trusted by every call. */
export function createReforge(options: ReforgeOptions): Reforge {
  const { ca, fetch } = options
  return create({ ...options, fetch: fetch ?? (ca === undefined ? undefined : nodeFetch({ ca })) })
}
