/** Parameters of a header's value, such as `form-data; name="file"`. */

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;"]*)/g

/** By their names in lower case, as they were written, quotes and all. Of two with the same name the first counts. */
export function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', value = ''] of `;${header.replace(/^[^;=]*(;|$)/, '')}`.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, value.trim())
  }
  return found
}

/** Only quotes and back slashes are unescaped: a careless `C:\dir\file.txt` keeps its last part. */
export const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value
