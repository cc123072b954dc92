/** A job as something to paste: into a terminal, into a program, or as the body alone. Pure. */
import type { JobBody } from '@reforge/sdk'
import type { CodeKind } from '../components/code-block.tsx'

interface CodeOptions {
  url: string
  /** Names of the files to send, by the name of their import/upload task. */
  files?: Readonly<Record<string, string>>
}

/** For a shell: nothing in it means anything. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** For a program: JSON, with names bare and strings in single quotes where that is the same. */
export function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, inner)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`}: ${literal(each, inner)}`)
  if (fields.length === 0) return '{}'
  const line = `{ ${fields.join(', ')} }`
  return line.length + indent.length <= 72 && !line.includes('\n')
    ? line
    : `{\n${inner}${fields.join(`,\n${inner}`)},\n${indent}}`
}

const uploadsIn = ({ tasks }: JobBody): string[] =>
  Object.entries(tasks).flatMap(([name, { operation }]) => (operation === 'import/upload' ? [name] : []))

const exportsIn = ({ tasks }: JobBody): string[] =>
  Object.entries(tasks).flatMap(([name, { operation }]) => (operation === 'export/url' ? [name] : []))

export function asCurl(body: JobBody, { url, files = {} }: CodeOptions): string {
  const auth = '-H "Authorization: Bearer $REFORGE_API_KEY"'
  const json = JSON.stringify(body, null, 2)
  const uploads = uploadsIn(body).flatMap((name) => {
    const form = `.tasks[] | select(.name == ${JSON.stringify(name)}) | .result.form | .url, (.parameters | to_entries[] | "-F", "\\(.key)=\\(.value)")`
    return [
      '',
      `# Send ${files[name] ?? 'the file'} with the fields of its form.`,
      `curl -sS $(jq -r ${quoted(form)} job.json) \\`,
      `  -F file=@${quoted(files[name] ?? 'file')}`,
    ]
  })
  const urls = exportsIn(body).length > 0 ? ` \\\n  | jq -r '.tasks[].result | select(.files[0].url).files[].url'` : ''
  return [
    '# Create the job.',
    `curl -sS ${url}/v1/process/jobs -o job.json \\`,
    `  ${auth} \\`,
    `  -H 'Content-Type: application/json' -d ${quoted(json)}`,
    ...uploads,
    '',
    urls ? '# Wait until it has ended; the addresses of the results need no key.' : '# Wait until it has ended.',
    `curl -sS ${url}/v1/process/jobs/$(jq -r .id job.json)/wait \\`,
    `  ${auth}${urls}`,
  ].join('\n')
}

const head = (url: string, more: string): string =>
  [
    `import { createReforge${more} } from '@reforge/sdk/node'`,
    '',
    `const reforge = createReforge({ url: ${literal(url)}, key: process.env.REFORGE_API_KEY })`,
  ].join('\n')

export function asSdk(body: JobBody, { url, files = {} }: CodeOptions): string {
  const uploads = uploadsIn(body)
  const send = uploads.flatMap((name) => [
    `const ${identifier(name)} = job.tasks.find(({ name }) => name === ${literal(name)})`,
    `await reforge.upload(${identifier(name)}, await fileFromPath(${literal(files[name] ?? 'file')}))`,
  ])
  const results =
    exportsIn(body).length > 0
      ? [
          '',
          'for (const task of ended.tasks)',
          '  for (const file of task.result.files ?? []) if (file.url) await save(reforge, file, file.filename)',
        ]
      : []
  const more = `${uploads.length > 0 ? ', fileFromPath' : ''}${results.length > 0 ? ', save' : ''}`
  return [
    head(url, more),
    '',
    `const job = await reforge.jobs.create(${literal(body)})`,
    ...send,
    'const ended = await reforge.jobs.wait(job.id)',
    ...results,
  ].join('\n')
}

/** One file through one operation has a shorter way. */
export function asShortSdk(
  operation: 'convert' | 'compress' | 'crop' | 'trim',
  file: string,
  options: object,
  url: string,
): string {
  return [
    head(url, ', fileFromPath, save'),
    '',
    `const [result] = await reforge.${operation}(await fileFromPath(${literal(file)}), ${literal(options)})`,
    'await save(reforge, result, result.filename)',
  ].join('\n')
}

const identifier = (name: string): string =>
  name.replace(/[^a-z0-9]+(\w?)/gi, (_, next: string) => next.toUpperCase()).replace(/^\d/, '_$&')

export const codeOf = (body: JobBody, options: CodeOptions): Record<CodeKind, string> => ({
  curl: asCurl(body, options),
  sdk: asSdk(body, options),
  json: JSON.stringify(body, null, 2),
})
