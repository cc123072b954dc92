import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { bench, LIMITS } from '../../../test/support/bench.ts'
import { clip } from '../../../test/support/clips.ts'
import { tempDir } from '../../../test/support/temp-dir.ts'
import type { Ext } from '../../catalog/formats.ts'
import { sniff } from '../../catalog/sniff.ts'
import { Failure } from '../../core/errors.ts'
import { ffmpeg } from '../ffmpeg.ts'

const { make } = await bench(ffmpeg)
const { path: dir, remove } = await tempDir()
let hits = 0
const server = createServer((_, answer) => {
  hits += 1
  answer.end('CANARY')
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
after(async () => {
  server.close()
  await remove()
})
const { port } = server.address() as AddressInfo
const secret = join(dir, 'secret.wav')
await writeFile(secret, await clip('wav', ['sine=duration=0.2']))

const SEGMENT = '#EXTINF:1,\n'
const LISTS: Readonly<Record<string, string>> = {
  'an HLS playlist of a file': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${SEGMENT}file://${secret}\n#EXT-X-ENDLIST\n`,
  'an HLS playlist of an address': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${SEGMENT}http://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`,
  'an ffconcat list': `ffconcat version 1.0\nfile '${secret}'\n`,
  'a DASH manifest': `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>http://127.0.0.1:${port}/</BaseURL></MPD>`,
  'a session description': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio ${port} RTP/AVP 0\n`,
}

const READERS = ['mp4', 'mkv', 'ts', 'mpg', 'aac', 'mp3'] as const satisfies readonly Ext[]

describe('a file that only points to others', { concurrency: 3 }, () => {
  for (const [what, text] of Object.entries(LISTS)) {
    it(`is refused by its content: ${what}`, () => {
      for (const name of ['x.mp4', 'x.mkv', 'x.ts', 'x.mp3', 'x'])
        assert.match(sniff(Buffer.from(text), name).refused ?? '', /only point to other files/, name)
    })
  }

  for (const what of ['an HLS playlist of a file', 'an HLS playlist of an address', 'an ffconcat list'] as const) {
    it(`is not followed even where it came through: ${what}`, async () => {
      for (const ext of READERS) {
        const bytes = Buffer.from(LISTS[what] ?? '')
        await assert.rejects(
          make('convert', { ext, bytes }, 'wav'),
          (error) => error instanceof Failure && error.message.includes(`sample.${ext}`),
          ext,
        )
      }
    })
  }

  it('was never fetched', () => assert.equal(hits, 0))
})

describe('a hostile film', { concurrency: 3 }, () => {
  it('with a playlist behind a real beginning is only that beginning', async () => {
    const film = await clip('ts', ['testsrc=size=64x48:duration=0.2'], ['-c:v', 'mpeg2video'])
    const bytes = Buffer.concat([film, Buffer.from(LISTS['an HLS playlist of a file'] ?? '')])
    const { files } = await make('convert', { ext: 'ts', bytes }, 'mp4')
    assert.equal(files.length, 1)
  })

  it('of more pixels than are taken is refused at once', async () => {
    const huge = await clip('avi', ['color=size=64x48:duration=0.04'], ['-c:v', 'rawvideo'])
    const header = huge.indexOf('strf')
    for (const at of [header + 12, header + 16]) huge.writeUInt32LE(60_000, at)
    const refused = make('convert', { ext: 'avi', bytes: huge }, 'mp4')
    await assert.rejects(
      refused,
      (error) => error instanceof Failure && /60000 × 60000 pixels; .* 72 million/.test(error.message),
    )
  })

  it('beyond what the operator takes is refused, with the limit', async () => {
    const film = { ext: 'mp4', bytes: await clip('mp4', ['testsrc=size=64x48:duration=3'], ['-c:v', 'mpeg4']) } as const
    const refuses = async (limits: Partial<typeof LIMITS>, words: RegExp) => {
      const { make: limited } = await bench(ffmpeg, undefined, { ...LIMITS, ...limits })
      for (const [does, to] of [
        ['convert', 'mkv'],
        ['convert', 'gif'],
        ['trim', 'mp4'],
        ['compress', 'mp4'],
      ] as const)
        await assert.rejects(limited(does, film, to), (error) => error instanceof Failure && words.test(error.message))
    }
    await refuses({ seconds: 2 }, /"sample\.mp4" lasts 3 seconds; this server takes at most 2 seconds\.$/)
    await refuses({ pixels: 3071 }, /64 × 48 pixels; this server takes at most 3071\.$/)
    const { make: exact } = await bench(ffmpeg, undefined, { seconds: 3, pixels: 64 * 48 })
    assert.equal((await exact('convert', film, 'mkv')).files.length, 1)
  })

  it('of noise is refused in words', async () => {
    const noise = Buffer.alloc(20_000, 0x5a)
    for (const ext of ['mp4', 'mkv', 'avi', 'wmv', 'mp3'] as const)
      await assert.rejects(
        make('convert', { ext, bytes: noise }, 'wav'),
        (error) => error instanceof Failure && !/0x|\[/.test(error.message),
        ext,
      )
  })

  it('does not bring words into a filter or an option', async () => {
    const film = await clip('mp4', ['testsrc=size=64x48:duration=0.2'], ['-c:v', 'libx264'])
    for (const video_resolution of ['64x48,movie=/etc/passwd', '-1x5', '64x48\n', '%d'])
      await assert.rejects(
        make('convert', { ext: 'mp4', bytes: film }, 'mp4', { video_resolution }),
        /video_resolution must/,
      )
    const subtitle_add = `[Script Info]\n[Events]\nDialogue: 0,0:00:00.00,0:00:01.00,x,,0,0,0,,{\\fn/etc/passwd}%s\n`
    const { files } = await make('convert', { ext: 'mp4', bytes: film }, 'mp4', { subtitle_add, subtitle_mode: 'hard' })
    assert.equal(files.length, 1)
  })
})
