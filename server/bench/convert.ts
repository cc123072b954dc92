/** A picture from upload to download link, against sharp doing the same work with nothing around it. */
import sharp from 'sharp'
import { USUAL_QUALITY } from '../src/engines/sharp-encodings.ts'
import type { Caller } from './caller.ts'
import { busier, inTurns, measure, quicker } from './measure.ts'
import { ms, perSecond, type Row } from './report.ts'

const JOB = {
  tasks: {
    import: { operation: 'import/upload' },
    convert: { operation: 'convert', input: 'import', output_format: 'jpg' },
    export: { operation: 'export/url', input: 'convert' },
  },
}
const AT_ONCE = 4
const MOST_ADDED = 25
const LEAST_SHARE = 0.6

export async function converting(caller: Caller, quick: boolean): Promise<Row[]> {
  const png = await photo()
  // What the service does by default, in one thread as its workers do.
  sharp.cache(false)
  sharp.concurrency(1)
  const bare = () => sharp(png).flatten().jpeg({ quality: USUAL_QUALITY.jpg }).toBuffer()
  const served = async () => {
    const job = await caller.post(JOB)
    await caller.upload(job, 'import', png, 'photo.png')
    await caller.wait(job)
  }
  // Workers start, code gets warm.
  await measure(quick ? 10 : 40, AT_ONCE, served)
  await measure(10, AT_ONCE, bare)

  const rounds = quick ? 2 : 6
  const single = quick ? 10 : 25
  const alone = await inTurns(
    rounds,
    () => measure(single, 1, bare),
    () => measure(single, 1, served),
    { one: quicker, other: quicker },
  )
  const many = quick ? 24 : 60
  const crowd = await inTurns(
    rounds,
    () => measure(many, AT_ONCE, bare),
    () => measure(many, AT_ONCE, served),
    { one: busier, other: busier },
  )
  const added = alone.other.p50 - alone.one.p50
  const share = crowd.other.rate / crowd.one.rate
  return [
    {
      what: `png (1 megapixel, ${Math.round(png.length / 1024)} kB) to jpg: bare sharp, p50`,
      value: ms(alone.one.p50),
    },
    { what: '  a job, from request to link, p50', value: ms(alone.other.p50) },
    { what: '  time added', value: ms(added), target: `< ${MOST_ADDED} ms`, ok: added < MOST_ADDED },
    { what: `${AT_ONCE} at once: bare sharp`, value: perSecond(crowd.one.rate) },
    { what: '  jobs', value: perSecond(crowd.other.rate) },
    {
      what: '  share',
      value: `${Math.round(share * 100)} %`,
      target: `≥ ${LEAST_SHARE * 100} %`,
      ok: share >= LEAST_SHARE,
    },
  ]
}

/** Soft shapes with grain: about as hard for a codec as a photograph. */
async function photo(): Promise<Buffer> {
  const [width, height] = [1200, 834]
  const noise = (sigma: number) => ({ type: 'gaussian', mean: 128, sigma }) as const
  const grain = await sharp({ create: { width, height, channels: 3, background: '#000', noise: noise(6) } })
    .png()
    .toBuffer()
  const shapes = { create: { width: 24, height: 17, channels: 3, background: '#000', noise: noise(70) } } as const
  const soft = await sharp(await sharp(shapes).png().toBuffer())
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .removeAlpha()
    .png()
    .toBuffer()
  return soft
}
