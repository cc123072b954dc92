import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { audioOf, coverOf, parseMedia, shownSize, videoOf } from './media.ts'

const told = (
  streams: object[],
  format: object = { format_name: 'mov,mp4', duration: '2.5' },
  chapters: object[] = [],
) => JSON.stringify({ streams, format, chapters })

const FILM = {
  index: 0,
  codec_type: 'video',
  codec_name: 'h264',
  width: 1920,
  height: 1080,
  avg_frame_rate: '30000/1001',
  r_frame_rate: '30000/1001',
  pix_fmt: 'yuv420p',
}

describe('what ffprobe tells', () => {
  it('is read: lengths, streams, tags and chapters', () => {
    const sound = {
      index: 1,
      codec_type: 'audio',
      codec_name: 'aac',
      channels: 6,
      sample_rate: '48000',
      tags: { language: 'deu' },
    }
    const media = parseMedia(
      told([FILM, sound], { format_name: 'mov', duration: '2.5', tags: { Title: 'x' } }, [{}]),
      7,
    )
    assert.equal(media?.seconds, 2.5)
    assert.deepEqual([media?.size, media?.chapters, media?.tags.title], [7, 1, 'x'])
    assert.equal(videoOf(media!)?.fps, 30_000 / 1001)
    assert.deepEqual([audioOf(media!)?.channels, audioOf(media!)?.language], [6, 'deu'])
  })

  it('tells how a picture is turned, clockwise', () => {
    const turned = (rotation: number) => ({ ...FILM, side_data_list: [{ side_data_type: 'Display Matrix', rotation }] })
    const film = (rotation: number) => videoOf(parseMedia(told([turned(rotation)]), 0)!)!
    assert.deepEqual([film(-90).rotation, film(90).rotation, film(180).rotation], [90, 270, 180])
    assert.deepEqual(shownSize(film(-90)), { width: 1080, height: 1920 })
  })

  it('knows covers, uneven times and more light than usual', () => {
    const cover = { ...FILM, index: 2, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
    const film = { ...FILM, index: 3, r_frame_rate: '90000/1', color_transfer: 'smpte2084', sample_aspect_ratio: '4:3' }
    const media = parseMedia(told([cover, film]), 0)!
    assert.deepEqual([coverOf(media)?.index, videoOf(media)?.index], [2, 3])
    assert.deepEqual([videoOf(media)?.vfr, videoOf(media)?.hdr], [true, true])
    assert.deepEqual(shownSize(videoOf(media)!), { width: 2560, height: 1080 })
  })

  it('plays the sound that is marked as default', () => {
    const sound = (index: number, isDefault: number) => ({
      index,
      codec_type: 'audio',
      disposition: { default: isDefault },
    })
    assert.equal(audioOf(parseMedia(told([sound(0, 0), sound(1, 1)]), 0)!)?.index, 1)
    assert.equal(audioOf(parseMedia(told([sound(0, 0), sound(1, 0)]), 0)!)?.index, 0)
  })

  it('takes the length of the longest stream where the file names none', () => {
    const streams = [{ ...FILM, duration: 'N/A', tags: { DURATION: '00:00:03.500000000' } }]
    assert.equal(parseMedia(told(streams, { format_name: 'matroska', duration: 'N/A' }), 0)?.seconds, 3.5)
  })

  it('is never believed to be anything: whatever stands there, it is read or refused', () =>
    fc.assert(
      fc.property(fc.json(), (json) => {
        const media = parseMedia(`{"format":{},"streams":${json},"chapters":${json}}`, 1)
        assert.ok(media === null || media.streams.every(({ index }) => Number.isFinite(index)))
        parseMedia(json, 1)
      }),
    ))
})
