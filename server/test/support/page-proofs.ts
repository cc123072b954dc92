/** Proofs of the options that lay pictures on pages, for every engine that has them. Poppler and MuPDF look. */
import { proof } from '../contract/option-proofs.ts'
import type { Made } from './bench.ts'
import { drawn, storedPictures } from './pdf-look.ts'
import { ask, pdfFact } from './sample-pdf.ts'
import { CORNERS, colourAt, corners, near } from './samples.ts'

const A4 = { pdf_page_size: '1240.2x1753.95' }
const on = { from: ['jpg'] } as const

const wide = await corners(300, 150).jpeg({ quality: 100 }).withMetadata({ density: 72 }).toBuffer()
/** Held upright, and the camera says so. */
const turned = await corners(300, 150).jpeg().withMetadata({ orientation: 6, density: 72 }).toBuffer()
const described = await corners(300, 150)
  .jpeg()
  .withExif({ IFD0: { Artist: 'Somebody' } })
  .toBuffer()

const pageSize = ({ files }: Made): Promise<string | undefined> => pdfFact(files[0]!, 'Page size')

/** Dots per inch of the first picture as it lies on its page. */
async function density({ files }: Made): Promise<number> {
  const [, , line = ''] = (await ask('pdfimages', ['-list', '{}'], files[0]!)).split('\n')
  return Number(line.trim().split(/\s+/)[12])
}

/** Whether a place on the first page is covered by the picture. */
const covered =
  (across: number, down: number) =>
  async ({ files }: Made): Promise<boolean> =>
    !near(await colourAt(await drawn(files[0]!), across, down), '#ffffff')

export const pageProofs = {
  strip: proof({
    on,
    sample: described,
    given: false,
    see: async ({ files }) => (await storedPictures(files[0]!))[0]!.bytes.includes('Somebody'),
    shows: true,
  }),
  pdf_page_size: proof({
    on,
    sample: wide,
    given: A4.pdf_page_size,
    see: pageSize,
    shows: '841.896 x 595.296 pts (A4)',
  }),
  enlarge_images_to_fit: proof({ on, sample: wide, with: A4, given: false, see: density, shows: 72 }),
  pdf_orientation: proof({
    on,
    sample: wide,
    with: A4,
    given: 'portrait',
    see: pageSize,
    shows: '595.296 x 841.896 pts (A4)',
  }),
  pdf_image_alignment: proof({
    on,
    sample: wide,
    with: { ...A4, pdf_orientation: 'portrait' },
    given: 'Top',
    see: covered(0.5, 0.02),
    shows: true,
  }),
  pdf_margin: proof({ on, sample: wide, with: A4, given: '10%', see: covered(0.02, 0.5), shows: false }),
  'auto-orient': proof({
    on,
    sample: turned,
    given: false,
    see: async ({ files }) => near(await colourAt(await drawn(files[0]!), 0.1, 0.1), CORNERS.topLeft),
    shows: true,
  }),
}
