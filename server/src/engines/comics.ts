/** Comics in RAR become comics in ZIP, by libarchive: what reads the one kind then reads the other. The pictures stay. */
import type { Engine, Work } from '../catalog/engine.ts'
import { options } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import { sizeOfMade } from './kit/hop-files.ts'
import { tool } from './kit/tool.ts'

const BSDTAR = { program: '/usr/bin/bsdtar', debian: 'libarchive-tools' }
const nothing = options({})
/** A ZIP of nothing has only its end. */
const EMPTY = 22

function explain(filename: string, words: string): string | null {
  if (/encrypt|passphrase|password/i.test(words)) return `"${filename}" is locked by a password, and cannot be opened.`
  if (/unsupported|not supported/i.test(words)) return `"${filename}" is packed by a kind of RAR that is not supported.`
  return null
}

async function repack(work: Work<typeof nothing>): Promise<readonly string[]> {
  // Only pictures go along: links, folders and programs have no place in a comic.
  const kinds = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'bmp', 'tif', 'tiff', 'avif']
  const included = kinds.flatMap((kind) => [`--include=*.${kind}`, `--include=*.${kind.toUpperCase()}`])
  await tool(work, {
    program: BSDTAR.program,
    args: ([source]) => [
      '--format=zip',
      '--options=zip:compression=store',
      ...included,
      '-cf',
      'out.cbz',
      `@${source}`,
    ],
    explain: (words) => explain(work.input.filename, words),
  })
  if ((await sizeOfMade(work, 'out.cbz')) <= EMPTY)
    throw new Failure('processing_failed', `"${work.input.filename}" holds no pictures.`)
  return ['out.cbz']
}

export const comics: Engine = {
  id: 'libarchive',
  title: 'libarchive',
  tools: [BSDTAR],
  can: [{ does: 'convert', from: ['cbr'], to: ['cbz'], cost: 1, options: nothing, run: repack }],
}
