/** Where nothing smaller or other comes of the work: the file as it came is the result, and the task says so. */
import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '../../catalog/engine.ts'
import { removeMade } from '../kit/hop-files.ts'
import { sizeOf } from '../kit/reach.ts'

type Keeping = Pick<Work, 'dir' | 'input' | 'to' | 'tell'>

export async function keepInput(work: Keeping): Promise<string> {
  const name = `kept.${work.to}`
  await copyFile(work.input.path, join(work.dir, name), constants.COPYFILE_FICLONE)
  work.tell('unchanged', true)
  return name
}

export async function onlySmaller(work: Keeping, name: string): Promise<string> {
  if ((await sizeOf(work, name)) < work.input.size) return name
  await removeMade(work, name)
  return keepInput(work)
}
