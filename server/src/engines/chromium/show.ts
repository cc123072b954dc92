/** Makes the result of a page that is ready: a PDF or a picture. Inside the box only. */
import { ORIGIN, type Page } from './browser.ts'
import type { Plan, Printing, Shooting } from './plan.ts'
import { evaluate } from './scripts.ts'
import { Trouble } from './trouble.ts'

const PER_INCH = 96
/** "The minimum and maximum are 3 and 14400 units": the longest page a PDF of the usual kind can have. */
const LONGEST = 200
/** More would take minutes, and nobody would turn them. */
const MOST_PAGES = 5000
const SCALES = { least: 0.1, most: 2 }

const HEADER = `<div style="font-size:8px;width:100%;text-align:center;font-family:sans-serif"><span class="title"></span></div>`
const FOOTER = `<div style="font-size:8px;width:100%;text-align:center;font-family:sans-serif"><span class="pageNumber"></span> / <span class="totalPages"></span></div>`

interface Sheet {
  width: number
  height: number
  scale: number
}

/** Links that only meant a neighbour of the file lead nowhere: better none than a wrong one. Answers how tall the page is. */
const MEASURE = `for (const a of document.querySelectorAll('a[href], area[href]'))
  if (a.href.startsWith('${ORIGIN}/') && !a.getAttribute('href').startsWith('#')) a.removeAttribute('href')
document.documentElement.scrollHeight`

function sheetFor(plan: Printing, tall: number): Sheet {
  const { sheet, margin, landscape } = plan
  const scaled = (scale: number): number => Math.min(SCALES.most, Math.max(SCALES.least, scale))
  if (sheet.size === 'auto') {
    const scale = scaled(plan.scale)
    // One pixel more, or what is rounded would need a second sheet.
    const height = ((tall + 1) / PER_INCH) * scale + 2 * margin
    const most = Math.floor(((LONGEST - 2 * margin) / scale) * PER_INCH)
    if (height > LONGEST) throw new Trouble('too-tall', 'auto page', { height: tall, most })
    return { width: ((plan.layoutWidth ?? 0) / PER_INCH) * scale + 2 * margin, height, scale }
  }
  const [width, height] = landscape ? [sheet.height, sheet.width] : [sheet.width, sheet.height]
  const room = { width: width - 2 * margin, height: height - 2 * margin }
  if (Math.min(room.width, room.height) < 0.5) throw new Trouble('no-room', 'margins')
  const fit = plan.layoutWidth === null ? 1 : (room.width * PER_INCH) / plan.layoutWidth
  const scale = scaled(fit * plan.scale)
  const pages = (tall * scale) / (room.height * PER_INCH)
  if (pages > MOST_PAGES) throw new Trouble('too-long', 'sheets', { pages, most: MOST_PAGES })
  return { width, height, scale }
}

async function print(page: Page, plan: Printing): Promise<Buffer> {
  const { width, height, scale } = sheetFor(plan, await evaluate(page, MEASURE))
  const { margin } = plan
  const sides = { marginTop: margin, marginBottom: margin, marginLeft: margin, marginRight: margin }
  const asked = {
    paperWidth: width,
    paperHeight: height,
    ...sides,
    scale,
    printBackground: plan.background,
    displayHeaderFooter: plan.headerFooter,
    ...(plan.headerFooter && { headerTemplate: HEADER, footerTemplate: FOOTER }),
    preferCSSPageSize: plan.sheet.size === 'css',
    generateDocumentOutline: plan.bookmarks,
    generateTaggedPDF: true,
    pageRanges: plan.range,
  }
  try {
    const { data } = await page.send('Page.printToPDF', asked)
    return Buffer.from(data, 'base64')
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw /page range/i.test(words) ? new Trouble('no-such-pages', words) : error
  }
}

async function shoot(page: Page, plan: Shooting, { viewport }: Pick<Plan, 'viewport'>): Promise<Buffer> {
  const { cssContentSize } = await page.send('Page.getLayoutMetrics')
  const width = Math.max(viewport.width, Math.ceil(cssContentSize.width))
  const height = Math.max(viewport.height, Math.ceil(cssContentSize.height))
  const size = plan.fullPage ? { width, height } : { width: viewport.width, height: viewport.height }
  const [across, down] = [size.width * viewport.scale, size.height * viewport.scale]
  const { most } = plan
  if (across > most.side || down > most.side || across * down > most.pixels)
    throw new Trouble('too-tall', 'picture', { width: across, height: down, most: most.side, pixels: most.pixels })
  if (plan.transparent) {
    const color = { r: 0, g: 0, b: 0, a: 0 }
    await page.send('Emulation.setDefaultBackgroundColorOverride', { color })
  }
  const { data } = await page.send('Page.captureScreenshot', {
    format: plan.as,
    ...(plan.quality !== null && { quality: plan.quality }),
    clip: { x: 0, y: 0, ...size, scale: 1 },
    captureBeyondViewport: true,
  })
  return Buffer.from(data, 'base64')
}

export const show = (page: Page, plan: Plan): Promise<Buffer> =>
  plan.output.as === 'pdf' ? print(page, plan.output) : shoot(page, plan.output, plan)
