/** Works on several files at a time and saves what comes out. One file's failure is not the others'. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileFromPath, type Progress, type Reopenable, type ResultFile, save } from '@reforge/sdk/node'
import type { Context } from './command.ts'
import { EXIT, exitCode, UsageError } from './exit.ts'
import { createReport } from './reports.ts'
import { pathOf, type Target } from './targets.ts'

const AT_ONCE = 4

interface Doing {
  word: string
  run(
    file: Reopenable,
    target: Target,
    how: { onProgress(progress: Progress): void; signal: AbortSignal },
  ): Promise<ResultFile[]>
}

/** Said before anything is sent: a misspelt name should not cost a conversion. */
function check(targets: readonly Target[]): void {
  for (const { input } of targets) {
    const found = statSync(input, { throwIfNoEntry: false })
    if (!found) throw new UsageError(`There is no file ${input}.`)
    if (found.isDirectory()) throw new UsageError(`${input} is a folder. Give files, such as ${join(input, '*')}.`)
  }
}

export async function runFiles(context: Context, targets: readonly Target[], doing: Doing): Promise<number> {
  check(targets)
  const reforge = await context.reforge()
  const report = createReport(context, { word: doing.word, inputs: targets.map(({ input }) => input) })
  const overwrite = context.values.force ?? false
  // What one file learns about the server holds for all of them.
  const hopeless = new AbortController()
  const signal = AbortSignal.any([context.signal, hopeless.signal])
  let code: number = EXIT.ok

  async function one(target: Target): Promise<void> {
    const { input, folder, exact, expected } = target
    try {
      if (!overwrite && existsSync(pathOf(target))) throw taken(pathOf(target))
      const file = await fileFromPath(input)
      report.progress(input, { stage: 'upload', percent: 0 })
      const onProgress = (progress: Progress) => report.progress(input, progress)
      const results = await doing.run(file, target, { onProgress, signal })
      report.progress(input, { stage: 'saving', percent: undefined })
      const name = (result: ResultFile) => (exact && results.length === 1 ? expected : result.filename)
      const saving = results.map((each) => save(reforge, each, join(folder, name(each)), { overwrite, signal }))
      report.done({ input, before: file.size, outputs: await Promise.all(saving) })
    } catch (error) {
      if (signal.aborted) return
      code = Math.max(code, exitCode(error))
      if (exitCode(error) === EXIT.server) hopeless.abort()
      report.failed(input, error)
    }
  }

  const waiting = [...targets]
  const worker = async () => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) await one(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  report.end()
  return context.signal.aborted ? EXIT.stopped : code
}

const taken = (path: string): Error => Object.assign(new Error(), { code: 'EEXIST', path })
