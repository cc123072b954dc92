import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look, pixelsAt } from '../../../test/support/clips.ts'
import { CORNERS, near } from '../../../test/support/samples.ts'
import { Failure } from '../../core/errors.ts'
import { cropFilm, filmBox } from './crop.ts'

const { make } = await bench({ id: 'ffmpeg', title: 'FFmpeg', tools: [], can: [cropFilm] })

/** Four quarters of one colour each, 80 by 40, with a tone. */
const quarter = (colour: string, at: string) => `drawbox=${at}:w=40:h=20:color=${colour.replace('#', '0x')}:t=fill`
const CARD = [
  'color=size=80x40:rate=25:duration=0.4,format=rgb24',
  quarter(CORNERS.topLeft, 'x=0:y=0'),
  quarter(CORNERS.topRight, 'x=40:y=0'),
  quarter(CORNERS.bottomLeft, 'x=0:y=20'),
  quarter(CORNERS.bottomRight, 'x=40:y=20'),
].join(',')
const CODED = '-c:v libx264 -preset ultrafast -qp 8 -pix_fmt yuv420p -c:a aac'.split(' ')
const film = await clip('mp4', [CARD, 'sine=frequency=440:duration=0.4'], CODED)

const crop = async (given: Record<string, unknown>) => {
  const { files, told } = await make('crop', { ext: 'mp4', bytes: film, filename: 'card.mp4' }, 'mp4', given)
  const { streams } = await look(files[0]!, 'mp4')
  const video = streams.find(({ type }) => type === 'video')
  const pixels = await pixelsAt(files[0]!, 'mp4', 0, 2, 2)
  const colour = (at: number) => `#${pixels.subarray(at * 3, at * 3 + 3).toString('hex')}`
  return { size: [video?.width, video?.height], codec: video?.codec, streams, told, colour, bytes: files[0]! }
}

describe('cropping a film', () => {
  it('keeps a part given in pixels, and its content', async () => {
    const { size, colour, codec, told } = await crop({ x: 40, y: 20, width: 40, height: 20 })
    assert.deepEqual([size, codec, told.dimensions], [[40, 20], 'h264', '40x20'])
    for (const at of [0, 1, 2, 3]) assert.ok(near(colour(at), CORNERS.bottomRight, 40), colour(at))
  })

  it('keeps a part given in percent', async () => {
    const { size, colour } = await crop({ x: '50%', y: 0, width: '50%', height: '50%' })
    assert.deepEqual(size, [40, 20])
    assert.ok(near(colour(0), CORNERS.topRight, 40), colour(0))
  })

  it('keeps the biggest part of some proportions, on the side that is named', async () => {
    const { size, colour } = await crop({ aspect_ratio: '1:1', gravity: 'left' })
    assert.deepEqual(size, [40, 40])
    assert.ok(near(colour(1), CORNERS.topLeft, 40) && near(colour(3), CORNERS.bottomLeft, 40))
    assert.ok(near((await crop({ aspect_ratio: '1:1', gravity: 'right' })).colour(0), CORNERS.topRight, 40))
  })

  it('leaves the sound as it is', async () => {
    const before = (await look(film, 'mp4')).streams.find(({ type }) => type === 'audio')
    const after = (await crop({ width: 20, height: 20 })).streams.find(({ type }) => type === 'audio')
    assert.deepEqual([after?.codec, after?.packets, after?.bits], [before?.codec, before?.packets, before?.bits])
  })

  it('gives the film back as it is when nothing is cut off', async () => {
    const { bytes, told } = await crop({})
    assert.ok(bytes.equals(film))
    assert.equal(told.unchanged, true)
  })

  it('refuses what lies outside, and says how big the picture is', () =>
    assert.rejects(
      crop({ x: 60, y: 0, width: 40, height: 20 }),
      (error) =>
        error instanceof Failure && /within the picture of "card.mp4", which is 80 × 40 pixels/.test(error.message),
    ))

  it('makes odd sides even, for no codec takes others', () => {
    const side = (amount: number) => ({ amount, unit: 'px' }) as const
    const wishes = { x: side(1), y: side(1), width: side(21), height: side(11), aspect_ratio: undefined }
    assert.deepEqual(filmBox({ width: 80, height: 40 }, { ...wishes, gravity: 'center' }, 'x'), {
      left: 1,
      top: 1,
      width: 20,
      height: 10,
    })
  })
})
