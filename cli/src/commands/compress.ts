/** reforge compress: the same format, fewer bytes. */
import { beside } from './working.ts'

export const compress = beside({
  does: 'compress',
  suffix: 'compressed',
  word: 'compressing',
  summary: 'Make files smaller.',
  about: ['photo.jpg becomes photo-compressed.jpg beside it, or photo.jpg in the folder of --output-dir.'],
  flags: [],
  examples: [
    ['reforge compress photo.jpg', 'makes photo-compressed.jpg'],
    ['reforge compress scans --output-dir small', 'a folder with all below it'],
  ],
})
