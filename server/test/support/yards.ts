/** Folders that warm programs share with whoever asks them, below a folder of the test. */
import { join } from 'node:path'
import type { Yards } from '../../src/engines/resident/forking.ts'
import { diskUse } from '../../src/sandbox/disk-use.ts'
import { removeTree } from '../../src/sandbox/remove-tree.ts'

export const yardsIn = (dir: string): Yards => ({
  folder: join(dir, 'yards'),
  bytesIn: (path, enough) => diskUse([path], enough),
  remove: removeTree,
})
