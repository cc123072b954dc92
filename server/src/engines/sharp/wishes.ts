/** What the sharp engine may be asked: the values of its options, as they are read. Types only. */
import type { Length } from '../../catalog/option.ts'
import type { ColourSpace, Fit, Gravity } from './plan.ts'

/** Every option the sharp engine reads; each capability declares some of them. */
export interface Wishes {
  readonly resize_type_image?: 'keep_original' | 'dimension' | 'percentage'
  readonly image_custom_width?: number
  readonly image_custom_height?: number
  readonly image_longest_side?: number
  readonly image_resize_percentage?: number
  readonly image_resize_fit?: Fit
  readonly image_resize_enlarge?: boolean
  readonly background?: string
  readonly strip?: boolean
  readonly 'auto-orient'?: boolean
  readonly image_colorspace?: ColourSpace
  readonly image_bit_depth?: string
  readonly image_dpi?: number
  readonly image_rotate?: number
  readonly image_flip?: 'none' | 'horizontal' | 'vertical' | 'both'
  readonly image_grayscale?: boolean
  readonly image_negate?: boolean
  readonly image_blur?: number
  readonly image_sharpen?: number
  readonly image_brightness?: number
  readonly image_contrast?: number
  readonly image_saturation?: number
  readonly page?: number
  readonly image_pages?: 'together' | 'separate'
  readonly svg_density?: number
  readonly animation_delay?: number
  readonly animation_loop?: number
  readonly quality?: number
  readonly jpg_convert_compress_method?: 'no_change' | 'quality'
  readonly jpg_convert_compression_level?: number
  readonly jpg_progressive?: boolean
  readonly jpg_chroma_subsampling?: 'auto' | '4:2:0' | '4:4:4'
  readonly png_compression_level?: 'lossless' | 'light' | 'lossy'
  readonly png_convert_quality?: number
  readonly png_interlace?: boolean
  readonly webp_lossless?: boolean
  readonly webp_effort?: number
  readonly avif_lossless?: boolean
  readonly avif_effort?: number
  readonly tiff_compression?: 'none' | 'lzw' | 'deflate' | 'packbits' | 'jpeg' | 'webp'
  readonly gif_colors?: '2' | '4' | '16' | '256'
  readonly gif_dither?: number
  readonly compress_image?: 'by_quality' | 'by_size' | 'lossless'
  readonly compress_max_filesize?: number
  readonly compress_allow_resize?: boolean
  readonly compress_perceptual?: number
  readonly x?: Length
  readonly y?: Length
  readonly width?: Length
  readonly height?: Length
  readonly aspect_ratio?: string
  readonly gravity?: Gravity
  readonly start?: number
  readonly end?: number
  readonly duration?: number
  readonly ranges?: string
}
