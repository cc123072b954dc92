/**
 * Test reporter: a line for each file, everything about what failed, Node's own closing lines, and once more what failed:
 * the end of a long output is what one looks at first, and at times all that is kept of it.
 */
import { relative, resolve } from 'node:path'
import { inspect } from 'node:util'

/** @param {{ name: string, details: { error?: Error } }} test */
function failure(test) {
  const error = test.details.error
  // A parent fails because of its children, and they have told.
  if (error && 'failureType' in error && error.failureType === 'subtestsFailed') return ''
  const cause = error?.cause ?? error
  const reason = typeof cause === 'string' ? cause : inspect(cause)
  return `  ✖ ${test.name}\n${reason.replace(/^/gm, '    ')}\n`
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** One test that takes this long is worth a line: something in it waits. */
const LONG = 20_000

/** @param {{ details: { duration_ms: number, type?: string } }} test */
const isSlow = ({ details }) => details.type !== 'suite' && details.duration_ms > LONG

/** @param {string} file */
const shown = (file) => relative(process.cwd(), file)

/**
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 * @returns {AsyncGenerator<string>}
 */
export default async function* report(source) {
  /** @type {Map<string, { said: string, failures: string }>} */
  const files = new Map()
  /**
   * A suite shared by several test files counts for the file that runs it, where Node names that.
   * @param {{ file?: string, entryFile?: string }} data
   */
  const of = ({ file = '', entryFile = file }) => {
    const name = resolve(entryFile)
    const entry = files.get(name) ?? { said: '', failures: '' }
    files.set(name, entry)
    return entry
  }
  /** @type {string[]} */
  const failed = []
  /** @param {string} file */
  const tell = (file) => {
    const { said, failures } = of({ file })
    files.delete(file)
    failed.push(`✖ ${shown(file)}\n${failures}`)
    return failures + said
  }
  for await (const { type, data } of source) {
    if (type === 'test:stdout' || type === 'test:stderr') of(data).said += data.message
    else if (type === 'test:fail') of(data).failures += failure(data)
    else if (type === 'test:pass' && isSlow(data)) yield `  ${seconds(data.details.duration_ms)}: ${data.name}\n`
    else if (type === 'test:summary' && data.file) {
      const mark = data.success ? '✔' : '✖'
      yield `${mark} ${shown(data.file)} (${data.counts.tests} tests, ${seconds(data.duration_ms)})\n`
      if (!data.success) yield tell(data.file)
    } else if (type === 'test:diagnostic' && data.nesting === 0 && !data.file) {
      // The closing lines begin. A file that could not be loaded, or failed after its tests, has not told yet.
      for (const [file, { failures }] of files) if (failures) yield `✖ ${shown(file)}\n${tell(file)}`
      yield `ℹ ${data.message}\n`
    }
  }
  if (failed.length > 0) yield `\nWhat failed:\n${failed.join('')}`
}
