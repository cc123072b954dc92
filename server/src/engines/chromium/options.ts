/** The options of pages as a browser shows them. */
import { option, options } from '../../catalog/option.ts'
import { quality } from '../../catalog/vocabulary/image.ts'

const viewport_width = option.integer({
  label: 'Viewport width',
  hint: 'Width of the window the page is laid out for. On a sheet of fixed size the page is shrunk or enlarged to fit.',
  units: 'px',
  min: 100,
  max: 7680,
})

const viewport_height = option.integer({
  label: 'Viewport height',
  hint: 'Height of the window the page is laid out for.',
  units: 'px',
  min: 100,
  max: 7680,
  default: 800,
})

const initial_delay = option.number({
  label: 'Delay',
  hint: 'Time to wait after the page has loaded, for what appears late.',
  units: 's',
  min: 0,
  max: 60,
  default: 0,
})

const hide_cookie = option.boolean({
  label: 'Hide cookie banners',
  hint: 'Hides what asks for consent to cookies.',
  default: false,
})

const use_print_stylesheet = option.boolean({
  label: 'Print style sheet',
  hint: 'Shows the page as its makers meant it for paper instead of the screen.',
  default: false,
})

const javascript = option.boolean({
  label: 'JavaScript',
  hint: 'Lets the scripts of the page run. They reach nothing outside the file in any case.',
  default: true,
  more: true,
})

const load_timeout = option.number({
  label: 'Time to load',
  hint: 'How long the scripts of the page may take until it has loaded.',
  units: 's',
  min: 0.1,
  max: 60,
  default: 30,
  more: true,
})

/** Millimetres: width and height of a sheet in portrait. */
export const SHEETS = {
  a0: ['A0', 841, 1189],
  a1: ['A1', 594, 841],
  a2: ['A2', 420, 594],
  a3: ['A3', 297, 420],
  a4: ['A4', 210, 297],
  a5: ['A5', 148, 210],
  a6: ['A6', 105, 148],
  b4: ['B4', 250, 353],
  b5: ['B5', 176, 250],
  letter: ['Letter', 215.9, 279.4],
  legal: ['Legal', 215.9, 355.6],
  tabloid: ['Tabloid', 279.4, 431.8],
  executive: ['Executive', 184.15, 266.7],
} as const

const labels = Object.fromEntries(Object.entries(SHEETS).map(([name, [label]]) => [name, label])) as {
  [K in keyof typeof SHEETS]: string
}

const page_size = option.choice(
  { ...labels, auto: 'One page as long as the content', css: 'As the page says, else A4' },
  { label: 'Page size', hint: 'Size of the sheets.', default: 'a4' },
)

const page_orientation = option.choice(
  { portrait: 'Portrait', landscape: 'Landscape' },
  { label: 'Orientation', hint: 'How the sheets are turned.', default: 'portrait' },
)

const margin = option.string({
  label: 'Margin',
  hint: 'Space left free on all sides of a sheet: pixels, 96 to the inch, or with a unit: 50px, 10mm, 1cm, 0.5in, 36pt.',
  pattern: /\d{1,4}(\.\d{1,3})?\s*(px|mm|cm|in|pt)?/i,
  expects: 'a distance like 50, 50px, 10mm, 1cm, 0.5in or 36pt',
  default: '1cm',
})

const scale = option.number({
  label: 'Scale',
  hint: 'How large everything is printed, in percent.',
  units: '%',
  min: 10,
  max: 200,
  default: 100,
})

const print_background = option.boolean({
  label: 'Backgrounds',
  hint: 'Prints background colours and pictures.',
  default: true,
})

const header_footer = option.boolean({
  label: 'Header and footer',
  hint: 'Prints the title above and the number of the page below. It needs a margin to stand in.',
  default: false,
})

const page_range = option.string({
  label: 'Pages',
  hint: 'Which pages to keep: like 1-3,5. Without it, all.',
  pattern: /\s*\d{1,6}\s*(-\s*(\d{1,6})?\s*)?(,\s*\d{1,6}\s*(-\s*(\d{1,6})?\s*)?)*/,
  expects: 'pages like 1-3,5',
})

const pdf_bookmarks = option.boolean({
  label: 'Bookmarks',
  hint: 'Makes bookmarks of the headings.',
  default: true,
  more: true,
})

const full_page = option.boolean({
  label: 'Full page',
  hint: 'Shows the page from top to bottom; else only what fits into the window.',
  default: true,
})

const device_scale_factor = option.number({
  label: 'Pixel density',
  hint: 'Pixels of the picture for every pixel of the page: 2 is sharp on screens of high density.',
  min: 0.25,
  max: 4,
  default: 1,
})

const transparent_background = option.boolean({
  label: 'Transparent',
  hint: 'Leaves out the white behind a page that has no background of its own.',
  default: false,
})

const looks = { viewport_height, initial_delay, hide_cookie, use_print_stylesheet }

/** An archive holds a page as it was shown: its scripts do not run again. */
export const archivePdf = options({
  viewport_width,
  page_size,
  page_orientation,
  margin,
  ...looks,
  scale,
  print_background,
  header_footer,
  page_range,
  pdf_bookmarks,
})
export const htmlPdf = options({ ...archivePdf, javascript, load_timeout })

const shot = { viewport_width: { ...viewport_width, default: 1280 }, ...looks, full_page, device_scale_factor }

export const archivePng = options({ ...shot, transparent_background })
export const htmlPng = options({ ...archivePng, javascript, load_timeout })
export const archiveJpg = options({ ...shot, quality: quality(90) })
export const htmlJpg = options({ ...archiveJpg, javascript, load_timeout })
export const archiveWebp = options({ ...shot, quality: quality(90), transparent_background })
export const htmlWebp = options({ ...archiveWebp, javascript, load_timeout })
