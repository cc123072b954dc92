/** Options of recognising text in pictures. */
import { option } from '../option.ts'

/** `installed` are the languages of this machine: no other can be asked for. */
export const ocr_language = (installed: readonly string[]) => {
  const one = `(?:${installed.join('|')})`
  return option.string({
    label: 'Language',
    hint: `Language of the text; several with a plus sign between them. Installed: ${installed.join(', ')}.`,
    pattern: new RegExp(`${one}(?:\\+${one}){0,4}`),
    expects: `languages of ${installed.join(', ')}, up to five, with a plus sign between them`,
    default: installed.includes('eng') ? 'eng' : (installed[0] ?? 'eng'),
  })
}

export const ocr_layout = option.choice(
  {
    auto: 'Page with columns and pictures',
    column: 'One column',
    block: 'One block of text',
    line: 'A single line',
    sparse: 'Scattered words',
  },
  { label: 'Layout', hint: 'How the text lies in the picture.', default: 'auto', more: true },
)

export const ocr_pages = option.choice(
  { missing: 'Pages without text', all: 'All pages' },
  { label: 'Pages to read', hint: 'Whether pages that have text already are read too.', default: 'missing' },
)
