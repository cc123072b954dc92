/** reforge trim: a part of the time of sound or film. */
import { beside } from './working.ts'

export const trim = beside({
  does: 'trim',
  suffix: 'trimmed',
  word: 'trimming',
  summary: 'Cut sound or film to a part of its time.',
  flags: ['start', 'end', 'duration'],
  examples: [
    ['reforge trim talk.mp3 --start 1:30 --end 12:00', 'makes talk-trimmed.mp3'],
    ['reforge trim film.mp4 --start 10 --duration 5 --output scene.mp4', 'five seconds'],
  ],
})
