/**
 * import/webpage: "renders the page in a real browser behind the address guard and keeps a self-contained snapshot". What
 * is kept is one archive; convert prints or shoots it.
 */
import { Type } from 'typebox'
import { bareName } from '../../core/filename.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'

const WINDOW = { width: 1280, height: 800 }
const PATIENCE = 30

const number = (least: number, most: number, description: string) =>
  Type.Optional(
    Type.Union([Type.Number(), Type.String({ maxLength: 16 })], { description: `${description} ${least} to ${most}.` }),
  )

/** Numbers and booleans are accepted as strings, as among options. */
const BOUNDS = {
  viewport_width: [100, 7680],
  viewport_height: [100, 7680],
  initial_delay: [0, 60],
  load_timeout: [1, 60],
} as const
type Figure = keyof typeof BOUNDS

const read = (value: number | string | undefined, usual: number): number =>
  value === undefined || value === '' ? usual : Number(value)

export const importWebpage = operation({
  name: 'import/webpage',
  summary: 'Import a web page: it is shown in a browser and kept as one file.',
  lane: 'io',
  needs: ['browser'],
  inputs: [0, 0],
  params: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'http:// or https:// address of the web page.' }),
    filename,
    viewport_width: number(...BOUNDS.viewport_width, 'Width of the window the page is visited with, in pixels.'),
    viewport_height: number(...BOUNDS.viewport_height, 'Height of the window the page is visited with, in pixels.'),
    initial_delay: number(...BOUNDS.initial_delay, 'Seconds to wait after the page has loaded.'),
    load_timeout: number(...BOUNDS.load_timeout, 'Seconds the page may take to arrive.'),
    hide_cookie: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')], {
        description: 'Hides what asks for consent to cookies.',
      }),
    ),
  }),
  check(params) {
    const parsed = URL.canParse(params.url) ? new URL(params.url) : null
    const issues = Object.entries(BOUNDS).flatMap(([name, [least, most]]) => {
      const value = read(params[name as Figure], least)
      return value >= least && value <= most
        ? []
        : [{ path: name, message: `must be a number from ${least} to ${most}.` }]
    })
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || !parsed.hostname)
      issues.push({ path: 'url', message: 'must be an address that begins with http:// or https://.' })
    return issues
  },
  async run({ params, snapshot, keep }) {
    const { file, title, url, incomplete } = await snapshot({
      url: params.url,
      viewport: {
        width: Math.round(read(params.viewport_width, WINDOW.width)),
        height: Math.round(read(params.viewport_height, WINDOW.height)),
      },
      timeout: read(params.load_timeout, PATIENCE),
      delay: read(params.initial_delay, 0) * 1000,
      hideCookie: String(params.hide_cookie) === 'true',
    })
    const kept = await keep(file, bareName(params.filename ?? nameOf(params.url)))
    return {
      files: [kept],
      more: { page: { title, url: withoutCredentials(url) }, ...(incomplete && { incomplete: true }) },
    }
  },
})

/** `example.com-news-today.mhtml`. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url)
  const parts = [hostname, ...pathname.split('/').slice(-3)].filter(Boolean)
  return `${parts
    .join('-')
    .replace(/\.(x?html?|php|aspx?|jsp)$/i, '')
    .slice(0, 120)}.mhtml`
}

function withoutCredentials(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return ''
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
