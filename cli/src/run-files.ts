/** Works on several files at a time and saves what comes out. One file's failure is not the others'. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Input, type Progress, type Reforge, ReforgeError, type ResultFile, save } from '@reforge/sdk/node'
import { advise } from './advise.ts'
import type { Context } from './command.ts'
import { EXIT, exitCode, UsageError } from './exit.ts'
import { createReport } from './reports.ts'
import { checkSources, openSources } from './sources.ts'
import { pathOf, type Target } from './targets.ts'

const AT_ONCE = 4

export interface How {
  onProgress(progress: Progress): void
  signal: AbortSignal
  inputName?: string
}

export interface Doing {
  /** As in "photo.png … converting". */
  word: string
  run(reforge: Reforge, inputs: readonly Input[], target: Target, how: How): Promise<ResultFile[]>
}

const taken = (path: string): Error => Object.assign(new Error(), { code: 'EEXIST', path })

async function writeOut(reforge: Reforge, results: readonly ResultFile[], { out, signal }: Context) {
  const [only] = results
  if (!only || results.length > 1)
    throw new UsageError(`There are ${results.length} results. Give a folder with --output-dir.`)
  const { stream } = await reforge.download(only, { signal })
  await pipeline(stream, out, { end: false, signal })
  return [{ path: '-', size: only.size }]
}

function checkStdout({ out, values }: Context, targets: readonly Target[]): void {
  if (!targets.some(({ toStdout }) => toStdout)) return
  if (values.json) throw new UsageError('Standard output has either the file or --json. Give a file with --output.')
  if (out.isTTY && !values.force)
    throw new UsageError('Standard output is a terminal. Give a file with --output, or send it elsewhere with >.')
}

export async function runFiles(context: Context, targets: readonly Target[], doing: Doing): Promise<number> {
  checkSources(targets)
  checkStdout(context, targets)
  const reforge = await context.reforge()
  const inputs = targets.map(({ input }) => input)
  const report = createReport(context, { word: doing.word, inputs, toStdout: targets.some(({ toStdout }) => toStdout) })
  const overwrite = context.values.force ?? false
  // What one file learns about the server holds for all of them.
  const hopeless = new AbortController()
  const signal = AbortSignal.any([context.signal, hopeless.signal])
  const promised = new Map<string, string>()
  let code: number = EXIT.ok

  function claim(target: Target): void {
    const path = pathOf(target)
    const other = promised.get(path)
    if (other) throw new ReforgeError(`${path} is what becomes of ${other} already.`, { code: 'same_name' })
    promised.set(path, target.input)
    if (!overwrite && existsSync(path)) throw taken(path)
  }

  async function keep(target: Target, results: readonly ResultFile[]) {
    if (target.toStdout) return writeOut(reforge, results, context)
    const { exact, expected, folder } = target
    const name = (result: ResultFile) => (exact && results.length === 1 ? expected : basename(result.filename))
    return Promise.all(results.map((each) => save(reforge, each, join(folder, name(each)), { overwrite, signal })))
  }

  async function one(target: Target): Promise<void> {
    const { input } = target
    try {
      if (!target.toStdout) claim(target)
      const { inputs: opened, size, inputName } = await openSources(target, context)
      report.progress(input, { stage: 'upload', percent: 0 })
      const onProgress = (progress: Progress) => report.progress(input, progress)
      const results = await doing.run(reforge, opened, target, { onProgress, signal, ...(inputName && { inputName }) })
      report.progress(input, { stage: 'saving', percent: undefined })
      report.done({ input, outputs: await keep(target, results), before: size() })
    } catch (error) {
      if (signal.aborted) return
      code = Math.max(code, exitCode(error))
      if (exitCode(error) === EXIT.server) hopeless.abort()
      report.failed(input, await advise(reforge, error, context.values))
    }
  }

  const waiting = [...targets]
  const worker = async () => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) await one(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  report.end()
  if (!context.signal.aborted) return code
  context.err.write('Stopped. What was under way on the server is canceled.\n')
  return EXIT.stopped
}
