/** Options of e-books and comics. What books have in common with other documents is in markup.ts. */
import { option } from '../option.ts'

export const ebook_publisher = option.string({
  label: 'Publisher',
  hint: 'Who published it, in the place of what the book says.',
  maxLength: 200,
  more: true,
})

const DEVICES = {
  default: 'Any',
  tablet: 'Tablet',
  ipad3: 'iPad',
  generic_eink: 'E-ink',
  generic_eink_hd: 'E-ink, fine',
  generic_eink_large: 'E-ink, large',
  kindle: 'Kindle',
  kindle_pw3: 'Kindle Paperwhite',
  kindle_oasis: 'Kindle Oasis',
  kindle_scribe: 'Kindle Scribe',
  kindle_fire: 'Kindle Fire',
  kobo: 'Kobo',
  nook: 'Nook',
  pocketbook_hd: 'PocketBook HD',
  sony: 'Sony Reader',
} as const
const device = {
  label: 'Device',
  hint: 'Letters and pictures are made to fit its screen.',
  default: 'default',
} as const
export const ebook_profile = option.choice(DEVICES, device)

export const ebook_font_size = option.number({
  label: 'Font size',
  hint: 'Size of ordinary text; headings follow. Without it, that of the device.',
  units: 'pt',
  min: 4,
  max: 60,
})

export const ebook_margin = option.number({
  label: 'Margin',
  hint: 'Space left free on all sides.',
  units: 'pt',
  min: 0,
  max: 300,
})

export const ebook_line_height = option.integer({
  label: 'Line height',
  hint: 'Lines are at least so far apart, in percent of the letters. Without it, 120.',
  units: '%',
  min: 80,
  max: 300,
  more: true,
})

export const ebook_justification = option.choice(
  { original: 'As it is', left: 'Left', justify: 'Both sides' },
  { label: 'Alignment', hint: 'How text is aligned.', default: 'original', more: true },
)

export const ebook_paragraphs = option.choice(
  { original: 'As it is', indent: 'Indented first line', space: 'Empty line between' },
  { label: 'Paragraphs', hint: 'How paragraphs are set apart.', default: 'original', more: true },
)

export const ebook_smart_punctuation = option.boolean({
  label: 'Smart punctuation',
  hint: 'Plain quotes, dashes and dots become typographic ones.',
  default: false,
  more: true,
})

export const ebook_cover = option.string({
  label: 'Cover',
  hint: 'A JPEG or PNG picture in base64, or as a data: address, that becomes the cover; at most 300 KB.',
  pattern: /(?:data:image\/(?:jpe?g|png);base64,)?[\w+/=\s-]+/,
  expects: 'a picture in base64',
  maxLength: 410_000,
  multiline: true,
  more: true,
})

export const ebook_default_cover = option.boolean({
  label: 'Make a cover',
  hint: 'A book without a cover gets one with its title and author.',
  default: false,
})

export const mobi_file_type = option.choice(
  { old: 'Old, for every reader', both: 'Old and new in one' },
  { label: 'Kind', hint: 'New Kindles show the newer form better; together they are twice as big.', default: 'old' },
)

export const ebook_page_size = option.choice(
  { a3: 'A3', a4: 'A4', a5: 'A5', a6: 'A6', b4: 'B4', b5: 'B5', b6: 'B6', letter: 'Letter', legal: 'Legal' },
  { label: 'Page size', hint: 'Size of the pages.', default: 'a4' },
)

export const ebook_page_numbers = option.boolean({
  label: 'Page numbers',
  hint: 'Every page shows its number at the bottom.',
  default: false,
})

export const txt_formatting = option.choice(
  { plain: 'None', markdown: 'Markdown', textile: 'Textile' },
  { label: 'Marks', hint: 'How bold words, headings and the like are marked in plain text.', default: 'plain' },
)

// Comics

export const comic_grayscale = option.boolean({
  label: 'Grayscale',
  hint: 'Takes the colours away.',
  default: false,
  agrees: { comic_fit: [true] },
})

export const comic_fit = option.boolean({
  label: 'Fit the screen',
  hint: 'Borders are cut off and pages made to fit the screen of the device. Off: pages stay as they are.',
  default: true,
})

/** For comics, whose pages may also be left as they are. */
export const comic_profile = option.choice(DEVICES, { ...device, agrees: { comic_fit: [true] } })
