/** Options of pages: how pictures become pages of a PDF, and how files are put together into one. */
import { option } from '../option.ts'

/**
 * Page sizes as clients of this family send them: width and height at 150 per inch, of inches with three decimals. The
 * names of the A and B series are those of ISO 216.
 */
export const PAGE_SIZES = {
  '4966.5x7021.65': 'A0',
  '3507.9x4966.5': 'A1',
  '2480.25x3507.9': 'A2',
  '1753.95x2480.25': 'A3',
  '1240.2x1753.95': 'A4',
  '874.05x1240.2': 'A5',
  '620.1x874.05': 'A6',
  '5905.5x8350.35': 'B0',
  '4175.25x5905.5': 'B1',
  '2952.75x4175.25': 'B2',
  '2084.7x2952.75': 'B3',
  '1476.45x2084.7': 'B4',
  '1039.35x1476.45': 'B5',
  '738.15x1039.35': 'B6',
  '1275x1650': 'Letter',
  '1275x2100': 'Legal',
  '1650x2550': 'Tabloid',
  '1087.5x1575': 'Executive',
  '825x1275': 'Statement',
} as const

/** "150 per inch", where PDF counts 72. */
export const POINTS_PER_PIXEL = 72 / 150

const SIZES = Object.keys(PAGE_SIZES)

export const pdf_page_size = option.choice(
  { 'same-as-image': 'Same as image', ...PAGE_SIZES },
  { label: 'Page size', hint: 'Size of the page. Without it, the page is as big as the picture.' },
)

export const pdf_orientation = option.choice(
  { auto: 'As the picture', portrait: 'Portrait', landscape: 'Landscape' },
  { label: 'Orientation', hint: 'How the page is turned.', default: 'auto', needs: { pdf_page_size: SIZES } },
)

export const pdf_image_alignment = option.choice(
  {
    Center: 'Centre',
    Top: 'Top',
    Bottom: 'Bottom',
    Left: 'Left',
    Right: 'Right',
    TopLeft: 'Top left',
    TopRight: 'Top right',
    BottomLeft: 'Bottom left',
    BottomRight: 'Bottom right',
  },
  {
    label: 'Alignment',
    hint: 'Where on the page the picture lies.',
    default: 'Center',
    needs: { pdf_page_size: SIZES },
  },
)

export const pdf_margin = option.length({
  label: 'Margin',
  hint: 'Space left free on all sides: pixels, 150 to the inch, or percent of the shorter side.',
  units: 'px',
  min: 0,
  max: 10_000,
  default: { amount: 0, unit: 'px' },
})

/** "Condition: `pdf_page_size` required, with one of the listed page-size values." */
export const enlarge_images_to_fit = option.boolean({
  label: 'Enlarge to fit',
  hint: 'Small pictures are enlarged to the size of the page.',
  default: true,
  needs: { pdf_page_size: SIZES },
})

const ITEM = /\d{1,6}\s*(?:-\s*(?:\d{1,6})?\s*)?/.source
const LIST = `\\s*(?:all\\s*|${ITEM}(?:,\\s*${ITEM})*)?`

export const merge_pages = option.string({
  label: 'Pages',
  hint: 'Pages of each file in turn, with semicolons between the files: 1-3;all;2,5- takes pages 1 to 3 of the first, all of the second, and 2 and those from 5 on of the third. 3-1 turns the order round. An empty place, and what is not mentioned, is all.',
  pattern: new RegExp(`${LIST}(?:;${LIST})*`),
  expects: 'pages of each file like 1-3;all;2,5-',
  maxLength: 20_000,
})

export const merge_bookmarks = option.boolean({
  label: 'Bookmarks',
  hint: 'Every file gets a bookmark with its name; its own bookmarks go below it.',
  default: true,
})
