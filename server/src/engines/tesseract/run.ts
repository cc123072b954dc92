/** Runs Tesseract on one picture, in a box. */
import { readdirSync } from 'node:fs'
import type { Work } from '../../catalog/engine.ts'
import { options, type Values } from '../../catalog/option.ts'
import * as ocr from '../../catalog/vocabulary/ocr.ts'
import { tool } from '../kit/tool.ts'

export const TESSERACT = { program: '/usr/bin/tesseract', debian: 'tesseract-ocr' } as const
const TESSDATA = '/usr/share/tesseract-ocr/5/tessdata'

/** Looked up once, when the engine is declared. `osd` is no language: it tells which way up a page is. */
function installedLanguages(): readonly string[] {
  try {
    const named = readdirSync(TESSDATA).map((file) => /^([a-z]{3}(?:_[a-z]+)*)\.traineddata$/i.exec(file)?.[1] ?? 'osd')
    const languages = named.filter((name) => name !== 'osd').sort()
    return languages.length === 0 ? ['eng'] : languages
  } catch {
    return ['eng']
  }
}

export const reading = options({ ocr_language: ocr.ocr_language(installedLanguages()), ocr_layout: ocr.ocr_layout })
export type Reading = Values<typeof reading>

/** Tesseract's page segmentation modes. */
const LAYOUT: Record<string, string> = { auto: '3', column: '4', block: '6', line: '7', sparse: '11' }

export interface Wanted {
  as: 'txt' | 'pdf'
  /** Of a PDF: the words alone, to be laid over the page they were read from. */
  wordsOnly?: boolean
  /** Where it is known better than the picture tells. */
  dpi?: number
}

export const tesseractArgs = (
  picture: string,
  to: string,
  wishes: Reading,
  { as, wordsOnly, dpi }: Wanted,
): string[] => [
  picture,
  to,
  ...['-l', wishes.ocr_language, '--psm', LAYOUT[wishes.ocr_layout] ?? '3'],
  ...(dpi === undefined ? [] : ['--dpi', String(dpi)]),
  ...(wordsOnly ? ['-c', 'textonly_pdf=1'] : []),
  // Its own way of ending a page is a form feed.
  ...(as === 'txt' ? ['-c', 'page_separator='] : []),
  as,
]

/** `picture` is a file in the work folder; without it, the input. Writes `to.txt` or `to.pdf`. */
export const recognise = (work: Work, wishes: Reading, wanted: Wanted, to: string, picture?: string) =>
  tool(work, {
    program: TESSERACT.program,
    args: (inputs) => tesseractArgs(picture ?? inputs[0], to, wishes, wanted),
    // More threads than one make a single page slower on few cores.
    env: { OMP_THREAD_LIMIT: '1' },
    limits: { cpu: 180, wall: 240_000 },
  })
