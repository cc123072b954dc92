/** What pandoc's words mean for who sent the file. Pure. */

const DAMAGED =
  /couldn't parse|couldn't unzip|could not (?:parse|read)|not a valid zip|did not find end of central|unpack/i
const NOTEBOOK = /ipynb|notebook/i

/** Null when the usual sentence says it as well. */
export function explain(filename: string, words: string): string | null {
  const [, line] = /^Error at .*\(?line (\d+), column \d+/m.exec(words) ?? []
  if (line !== undefined) return `"${filename}" could not be read: line ${line} is not as its format asks for.`
  if (/out of memory|heap exhausted|stack overflow/i.test(words))
    return `"${filename}" is too large or too deeply nested.`
  if (/openBinaryFile: (?:does not exist|permission)|not found in resource path/.test(words))
    return `"${filename}" needs another file, which was not sent.`
  if (NOTEBOOK.test(words)) return `"${filename}" is not a readable notebook.`
  if (DAMAGED.test(words)) return `"${filename}" could not be read: it is damaged or incomplete.`
  return null
}

const MOST_NAMES = 20
const MISSING =
  /^(?:\[WARNING\] Could not (?:fetch|find) (?:resource|image) '?|\[LEFT OUT\] )(.{1,200}?)(?:'?:? .*)?$/gim

/** Pictures that are not in the result: they are elsewhere, or the format has no place for them. */
export const notFound = (words: string): string[] =>
  [...new Set([...words.matchAll(MISSING)].map(([, name = '']) => name.replace(/[:']+$/, '')))].slice(0, MOST_NAMES)
