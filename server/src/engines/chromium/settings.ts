/** From options to a plan. Pure. */

import { SHEETS } from './options.ts'
import type { Plan, Printing, Shooting, Source } from './plan.ts'

/** Every option of the browser, as it is read; each capability declares some of them. */
export interface Wishes {
  readonly viewport_width?: number | undefined
  readonly viewport_height: number
  readonly initial_delay: number
  readonly hide_cookie: boolean
  readonly use_print_stylesheet: boolean
  readonly javascript?: boolean
  readonly load_timeout?: number
  readonly page_size?: keyof typeof SHEETS | 'auto' | 'css'
  readonly page_orientation?: 'portrait' | 'landscape'
  readonly margin?: string
  readonly scale?: number
  readonly print_background?: boolean
  readonly header_footer?: boolean
  readonly page_range?: string | undefined
  readonly pdf_bookmarks?: boolean
  readonly full_page?: boolean
  readonly device_scale_factor?: number
  readonly transparent_background?: boolean
  readonly quality?: number
}

const USUAL_WIDTH = 1280
/** Seconds. */
const PATIENCE = 30
const MM_PER_INCH = 25.4
const PER_INCH: Readonly<Record<string, number>> = { px: 96, mm: 25.4, cm: 2.54, in: 1, pt: 72 }

/** `50`, `50px`, `10mm` … in inches. */
export function inches(margin: string): number {
  const [, amount = '0', unit = 'px'] = /^([\d.]+)\s*([a-z]+)?$/i.exec(margin.trim()) ?? []
  return Number(amount) / (PER_INCH[unit.toLowerCase()] ?? 96)
}

/** What the formats can hold, and what a machine can draw. */
const MOST: Readonly<Record<Shooting['as'], Shooting['most']>> = {
  png: { side: 65_535, pixels: 150e6 },
  jpeg: { side: 65_500, pixels: 150e6 },
  webp: { side: 16_383, pixels: 150e6 },
}

function printing(wishes: Wishes): Printing {
  const { page_size = 'a4', viewport_width } = wishes
  const named = page_size === 'auto' || page_size === 'css'
  const [, width, height] = SHEETS[named ? 'a4' : page_size]
  return {
    as: 'pdf',
    sheet: { size: named ? page_size : 'fixed', width: width / MM_PER_INCH, height: height / MM_PER_INCH },
    landscape: wishes.page_orientation === 'landscape',
    margin: inches(wishes.margin ?? '0'),
    scale: (wishes.scale ?? 100) / 100,
    layoutWidth: page_size === 'auto' ? (viewport_width ?? USUAL_WIDTH) : (viewport_width ?? null),
    background: wishes.print_background ?? true,
    headerFooter: wishes.header_footer ?? false,
    bookmarks: wishes.pdf_bookmarks ?? false,
    range: wishes.page_range?.replaceAll(/\s/g, '') ?? '',
  }
}

const shooting = (as: Shooting['as'], wishes: Wishes): Shooting => ({
  as,
  fullPage: wishes.full_page ?? true,
  transparent: wishes.transparent_background ?? false,
  quality: wishes.quality ?? null,
  most: MOST[as],
})

export type Target = 'pdf' | 'png' | 'jpg' | 'webp'

export const planFor = (source: Source, to: Target, wishes: Wishes): Plan => ({
  source,
  viewport: {
    width: wishes.viewport_width ?? USUAL_WIDTH,
    height: wishes.viewport_height,
    scale: wishes.device_scale_factor ?? 1,
  },
  media: wishes.use_print_stylesheet ? 'print' : 'screen',
  javascript: wishes.javascript ?? true,
  within: (wishes.load_timeout ?? PATIENCE) * 1000,
  delay: wishes.initial_delay * 1000,
  hideCookie: wishes.hide_cookie,
  output: to === 'pdf' ? printing(wishes) : shooting(to === 'jpg' ? 'jpeg' : to, wishes),
})
