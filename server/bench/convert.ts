/** A picture from upload to download link, against sharp doing the same work with nothing around it. */
import sharp from 'sharp'
import { USUAL_QUALITY } from '../src/engines/sharp/encodings.ts'
import type { Caller } from './caller.ts'
import { inTurns, measure } from './measure.ts'
import { ms, perSecond, type Row, times } from './report.ts'

const JOB = {
  tasks: {
    import: { operation: 'import/upload' },
    convert: { operation: 'convert', input: 'import', output_format: 'jpg' },
    export: { operation: 'export/url', input: 'convert' },
  },
}
const AT_ONCE = 4
const MANY = 30
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
  await measure(quick ? 60 : 400, AT_ONCE, served)
  await measure(10, AT_ONCE, bare)

  const alone = await inTurns(
    quick ? 4 : 15,
    () => measure(10, 1, bare),
    () => measure(10, 1, served),
  )
  const crowd = await inTurns(
    quick ? 3 : 15,
    () => measure(MANY, AT_ONCE, bare),
    () => measure(MANY, AT_ONCE, served),
    'rate',
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
    {
      what: '  processor time of a job, its caller included, to bare sharp',
      value: times(crowd.other.ours / crowd.one.ours),
    },
  ]
}

/** Soft shapes with grain: about as hard for a codec as a photograph. */
export async function photo(width = 1200, height = 834): Promise<Buffer> {
  const noise = (sigma: number) => ({ type: 'gaussian', mean: 128, sigma }) as const
  const grain = await sharp({ create: { width, height, channels: 3, background: '#000', noise: noise(30) } })
    .blur(0.8)
    .png()
    .toBuffer()
  const shapes = { create: { width: 24, height: 17, channels: 3, background: '#000', noise: noise(70) } } as const
  const soft = await sharp(await sharp(shapes).png().toBuffer())
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .removeAlpha()
    .png({ adaptiveFiltering: true })
    .toBuffer()
  return soft
}
