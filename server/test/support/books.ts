/** A small document in many formats, and what can be seen in each: written by hand or by tools, never by our engines. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ext } from '../../src/catalog/formats.ts'
import { within } from './unzipped.ts'

const run = promisify(execFile)

/** Two pixels: enough to be found again. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const picture = `data:image/png;base64,${PIXEL}`

export const MARKDOWN = `---
title: The small book
author: Jane Doe
---

# First chapter

Some **bold** words, and enough of them that a line of thirty letters cannot hold them all.
- a [link](https://example.com/there)

## A section

![A dot](${picture})

# Second chapter

\`\`\`python
print("hello")
\`\`\`
`

const HTML = `<!doctype html><html lang="en"><head><title>The small book</title></head><body>
<h1>First chapter</h1><p>Some <b>bold</b> words, and enough of them that a line of thirty letters cannot hold them all.
<a href="https://example.com/there">link</a></p><h2>A section</h2><p><img alt="A dot" src="${picture}"></p>
<h1>Second chapter</h1><pre class="python"><code>print("hello")</code></pre></body></html>`

const RST = `First chapter
=============

Some **bold** words, and enough of them that a line of thirty letters cannot hold them all. \`link <https://example.com/there>\`_

A section
---------

Second chapter
==============

.. code-block:: python

   print("hello")
`

const ORG = `#+title: The small book

* First chapter
Some *bold* words.
** A section
* Second chapter
#+begin_src python
print("hello")
#+end_src
`

const TEX = String.raw`\documentclass{article}
\begin{document}
\section{First chapter}
Some \textbf{bold} words.
\subsection{A section}
\section{Second chapter}
\end{document}
`

const RTF = String.raw`{\rtf1\ansi{\fonttbl{\f0 Times;}}{\pard\outlinelevel0 First chapter\par}{\pard Some {\b bold} words.\par}{\pard\outlinelevel0 Second chapter\par}}`

/** One file through one command; `{}` is where it lies and `{out}` where the result is looked for. */
export async function madeBy(
  program: string,
  args: readonly string[],
  bytes: string | Uint8Array,
  from: Ext,
  to: string,
): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-book-'))
  try {
    const places: Record<string, string> = { '{}': join(dir, `in.${from}`), '{out}': join(dir, `out.${to}`) }
    await writeFile(join(dir, `in.${from}`), bytes)
    const filled = args.map((arg) => places[arg] ?? arg)
    const { stdout } = await run(program, filled, { cwd: dir, timeout: 120_000, maxBuffer: 2 ** 26 })
    return args.includes('{out}') ? await readFile(join(dir, `out.${to}`)) : Buffer.from(stdout)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const byPandoc = (to: Ext): Promise<Buffer> =>
  madeBy('pandoc', ['-f', 'gfm', '-s', '{}', '-o', '{out}'], MARKDOWN, 'md', to)

/** What pandoc reads. */
export async function documents(): Promise<Partial<Record<Ext, Buffer>>> {
  const made: readonly Ext[] = ['docx', 'odt', 'epub', 'fb2', 'ipynb']
  const packed = await Promise.all(made.map(async (to) => [to, await byPandoc(to)] as const))
  const texts = {
    md: MARKDOWN,
    html: HTML,
    rst: RST,
    org: ORG,
    tex: TEX,
    rtf: RTF,
    csv: 'name,count\nFirst chapter,2\n',
  }
  const xhtml = HTML.replace('<html', '<html xmlns="http://www.w3.org/1999/xhtml"').replace(/<(img[^>]*)>/, '<$1/>')
  return Object.fromEntries([
    ...packed,
    ...Object.entries({ ...texts, xhtml }).map(([ext, text]) => [ext, Buffer.from(text)]),
  ])
}

const PARTS: Partial<Record<Ext, RegExp>> = {
  docx: /^word\/document\.xml$/,
  odt: /^content\.xml$/,
  epub: /\.x?html$/,
}

/** The body as it is written, markup and all. */
export function bodyOf(bytes: Buffer, ext: Ext): string {
  const part = PARTS[ext]
  return part === undefined ? bytes.toString() : within(bytes, part)
}

/** Everything a Kindle book says and looks like: its facts, pages and styles, by libmobi. */
export async function mobiParts(bytes: Uint8Array, ext: 'mobi' | 'azw3'): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-book-'))
  try {
    await writeFile(join(dir, `in.${ext}`), bytes)
    const { stdout } = await run('mobitool', ['-s', '-m', '-7', `in.${ext}`], { cwd: dir, timeout: 60_000 })
    const parts = (await readdir(join(dir, 'in_markup'))).filter((name) => /html$|css$/.test(name)).sort()
    const texts = await Promise.all(parts.map((name) => readFile(join(dir, 'in_markup', name), 'utf8')))
    return [stdout, ...texts].join('\n')
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
