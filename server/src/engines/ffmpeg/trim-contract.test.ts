/** Whatever the ffmpeg engine says it can compress, trim, crop or make an animation of, on one clip of every format. */
import assert from 'node:assert/strict'
import sharp from 'sharp'
import { engineContract } from '../../../test/contract/engine.ts'
import { bench } from '../../../test/support/bench.ts'
import { allClips, look } from '../../../test/support/clips.ts'
import type { Engine } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import { ffmpeg } from '../ffmpeg.ts'

const files = await allClips()
const table = await bench(ffmpeg)

const only = (id: string, chosen: (capability: Engine['can'][number]) => boolean): Engine => ({
  ...ffmpeg,
  id: `ffmpeg, ${id}`,
  can: ffmpeg.can.filter(chosen),
})

const near = (seconds: number, wanted: number) => assert.ok(Math.abs(seconds - wanted) < 0.2, `${seconds} s`)

engineContract(
  only('trimming', ({ does }) => does === 'trim'),
  table,
  {
    files,
    options: { trim: { start: 0.2, end: 0.8 } },
    together: 3,
    opens: async (made, ext) => near((await look(made, ext)).seconds, 0.6),
  },
)

engineContract(
  only('cropping', ({ does }) => does === 'crop'),
  table,
  {
    files,
    options: { crop: { width: 32, height: 24 } },
    together: 3,
    async opens(made, ext) {
      const { streams, seconds } = await look(made, ext)
      near(seconds, 1)
      const film = streams.find(({ type }) => type === 'video')
      assert.deepEqual([film?.width, film?.height], [32, 24])
      assert.ok(streams.some(({ type }) => type === 'audio'))
    },
  },
)

engineContract(
  only('compressing films', ({ does, options }) => does === 'compress' && 'compress_video' in options),
  table,
  {
    files,
    options: { compress: { compress_video: 'by_video_quality', video_compress_speed: 'ultrafast' } },
    together: 3,
    opens: async (made, ext) => near((await look(made, ext)).seconds, 1),
  },
)

engineContract(
  only('compressing sound', ({ does, options }) => does === 'compress' && 'compress_audio' in options),
  table,
  {
    files,
    options: { compress: { audio_compress_bitrate: 32 } },
    together: 3,
    opens: async (made, ext) => near((await look(made, ext)).seconds, 1),
  },
)

const WEBP = new Set<Ext>(['webm', 'mov', 'ts', 'avi'])
const isAnimation = (to: readonly Ext[] | 'same'): boolean =>
  to !== 'same' && (to.includes('gif') || to.includes('webp'))

engineContract(
  only('animations', ({ does, to }) => does === 'convert' && isAnimation(to)),
  table,
  {
    files,
    options: { convert: {} },
    // Every film is read the same way for both.
    proves: ({ from, to }) => (WEBP.has(from) ? to === 'webp' : to === 'gif'),
    together: 3,
    async opens(made) {
      const { pages, width } = await sharp(made, { animated: true }).metadata()
      assert.ok((pages ?? 0) >= 10 && (pages ?? 0) <= 14, `${pages} frames`)
      assert.ok(width === 64 || width === 768)
      await sharp(made, { animated: true, failOn: 'warning' }).stats()
    },
  },
)
