/** What is sent: files on disk, addresses, or standard input. */
import { statSync } from 'node:fs'
import { fileFromPath, type Input } from '@reforge/sdk/node'
import type { Context } from './command.ts'
import { UsageError } from './exit.ts'
import type { Target } from './targets.ts'

export interface Opened {
  inputs: readonly Input[]
  /** Bytes, as far as known; complete once everything is sent. */
  size(): number
  /** Name of what has none. */
  inputName?: string
}

const isAddress = (name: string): boolean => /^https?:\/\//.test(name)

/** Said before anything is sent: a misspelt name should not cost a conversion. */
export function checkSources(targets: readonly Target[]): void {
  for (const name of targets.flatMap(({ files }) => files)) {
    if (name === '-' || isAddress(name)) continue
    const found = statSync(name, { throwIfNoEntry: false })
    if (!found) throw new UsageError(`There is no file ${name}.`)
    if (found.isDirectory()) throw new UsageError(`${name} is a folder.`)
  }
  if (targets.flatMap(({ files }) => files).filter((name) => name === '-').length > 1)
    throw new UsageError('Standard input can be read once only.')
}

export async function openSources({ files }: Target, { in: stdin, values }: Context): Promise<Opened> {
  let size = 0
  async function* counted() {
    for await (const piece of stdin) {
      size += piece.length
      yield piece as Uint8Array
    }
  }
  const inputs: Input[] = []
  for (const name of files) {
    if (name === '-') inputs.push(counted())
    else if (isAddress(name)) inputs.push(new URL(name))
    else {
      const file = await fileFromPath(name)
      size += file.size
      inputs.push(file)
    }
  }
  // The server looks at the content first, and at the name where that says nothing.
  const inputName = files.includes('-') ? `stdin${values.from ? `.${values.from}` : ''}` : undefined
  return { inputs, size: () => size, ...(inputName && { inputName }) }
}
