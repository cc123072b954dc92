/**
 * Which fonts a document asks for: names only, from the parts that say what its words are set in. What is listed but used
 * by nothing does not count. Pure but for reading the parts; a document that hides its fonts hides them from nobody else.
 */
import type { Ext } from '../../catalog/formats.ts'
import type { PackedEntry } from '../kit/packed.ts'
import { textOf } from '../kit/unpacked.ts'

/** Of each part; what comes after it is set in the same fonts, mostly. */
const MOST = 2 ** 20
const MOST_PARTS = 12
const MOST_FONTS = 40

/** A font that comes along need not be installed. */
const EMBEDDED = /^(?:word\/fonts\/|ppt\/fonts\/|Fonts\/)/

type Part = (name: string) => Promise<string>

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, value = '']) => value)

/** Looked for once each: a pattern that begins often and never ends would be tried from every beginning. */
const within = (text: string, open: string, close: string): string => {
  const start = text.indexOf(open)
  const end = start < 0 ? -1 : text.indexOf(close, start)
  return end < 0 ? '' : text.slice(start, end)
}

/** The names of the theme's two fonts. */
const themeFonts = (theme: string): { major: string; minor: string } => {
  const latin = (kind: string): string =>
    new RegExp(`<a:${kind}Font>\\s*<a:latin\\s[^<>]*typeface="([^"]*)"`).exec(theme)?.[1] ?? ''
  return { major: latin('major'), minor: latin('minor') }
}

async function ofText(part: Part): Promise<string[]> {
  const [body, styles, theme] = await Promise.all(
    ['word/document.xml', 'word/styles.xml', 'word/theme/theme1.xml'].map(part),
  )
  const used = new Set(all(body ?? '', /<w:(?:p|r|tbl)Style\s+w:val="([^"]*)"/g))
  const styled = (styles ?? '')
    .split('</w:style>')
    .map((text) => text.slice(Math.max(0, text.lastIndexOf('<w:style '))))
    .filter(
      (style) =>
        /<w:style\s[^<>]*w:default="(?:1|true)"/.test(style) ||
        used.has(/\sw:styleId="([^"]*)"/.exec(style)?.[1] ?? ''),
    )
  const defaults = within(styles ?? '', '<w:docDefaults>', '</w:docDefaults>')
  const tags = [body ?? '', defaults, ...styled].flatMap((text) => all(text, /(<w:rFonts\s[^<>]*>)/g))
  const { major, minor } = themeFonts(theme ?? '')
  return tags.flatMap((tag) => [
    ...all(tag, /\sw:(?:ascii|hAnsi)="([^"]*)"/g),
    ...all(tag, /\sw:(?:ascii|hAnsi)Theme="(major|minor)/g).map((kind) => (kind === 'major' ? major : minor)),
  ])
}

async function ofSlides(part: Part, names: readonly string[]): Promise<string[]> {
  const slides = names.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name)).slice(0, MOST_PARTS)
  const [theme = '', ...texts] = await Promise.all(['ppt/theme/theme1.xml', ...slides].map(part))
  const { major, minor } = themeFonts(theme)
  // `+mn-lt` and the like stand for the theme's own.
  const named = texts.flatMap((text) => all(text, /<a:latin\s[^<>]*typeface="([^"+]*)"/g))
  return [...named, major, minor]
}

const ofSheets = async (part: Part): Promise<string[]> => {
  const fonts = within(await part('xl/styles.xml'), '<fonts', '</fonts>')
  return all(fonts, /<name\s[^<>]*val="([^"]*)"/g)
}

async function ofOpenDocument(part: Part): Promise<string[]> {
  const texts = await Promise.all(['content.xml', 'styles.xml'].map(part))
  const faces = new Map(
    texts.flatMap((text) =>
      all(text, /<style:font-face\s([^<>]*)>/g).map((face): [string, string] => [
        /style:name="([^"]*)"/.exec(face)?.[1] ?? '',
        /svg:font-family="(?:&apos;|')?([^"&']*)/.exec(face)?.[1] ?? '',
      ]),
    ),
  )
  return texts.flatMap((text) => [
    ...all(text, /<style:text-properties(?=\s)[^<>]*?\sstyle:font-name="([^"]*)"/g).map(
      (name) => faces.get(name) ?? '',
    ),
    ...all(text, /<style:text-properties(?=\s)[^<>]*?\sfo:font-family="(?:&apos;|')?([^"&']*)/g),
  ])
}

/** Of Excel, Word, PowerPoint and their free counterparts; of others nothing is known. */
export async function fontsAskedFor(path: string, format: Ext, entries: readonly PackedEntry[]): Promise<string[]> {
  if (entries.some(({ name }) => EMBEDDED.test(name))) return []
  const part: Part = (name) =>
    textOf(
      path,
      entries.find((entry) => entry.name === name),
      MOST,
    )
  const found = /^(doc|dot)/.test(format)
    ? await ofText(part)
    : /^p(p|o)/.test(format)
      ? await ofSlides(
          part,
          entries.map(({ name }) => name),
        )
      : format.startsWith('xls')
        ? await ofSheets(part)
        : await ofOpenDocument(part)
  const names = found.map((name) => name.replaceAll('&amp;', '&').trim()).filter((name) => /^[^<>"]{1,80}$/.test(name))
  return [...new Set(names)].slice(0, MOST_FONTS)
}
