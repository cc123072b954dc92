/** reforge crop: a part of a picture, a film or pages. */
import { beside } from './working.ts'

export const crop = beside({
  does: 'crop',
  suffix: 'cropped',
  word: 'cropping',
  summary: 'Cut pictures, films or pages to a part.',
  about: [
    'Places and lengths are pixels, or percent with a % sign. "reforge options jpg --for crop" lists all settings.',
  ],
  flags: ['x', 'y', 'width', 'height'],
  examples: [
    ['reforge crop photo.jpg --x 10% --y 10% --width 80% --height 80%', 'without its rim'],
    ['reforge crop film.mp4 --option aspect_ratio=1:1', 'a square of its middle'],
  ],
})
