/** Apple icons, written by hand: the same four quarters as runs of bytes with a mask, as runs with opacity, and as PNG. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { corners } from './samples.ts'

const entry = (kind: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(body.length + 8, 4)
  return Buffer.concat([head, body])
}
const file = (...entries: readonly Buffer[]): Buffer => entry('icns', Buffer.concat(entries))

/** Three and more of a kind are a run; the rest are as they are. */
function runs(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let at = 0; at < bytes.length; ) {
    let count = 1
    while (count < 130 && at + count < bytes.length && bytes[at + count] === bytes[at]) count += 1
    if (count >= 3) out.push(count + 125, bytes[at]!)
    else out.push(count - 1, ...bytes.subarray(at, at + count))
    at += count
  }
  return Buffer.from(out)
}

async function planes(side: number): Promise<Buffer[]> {
  const pixels = await corners(side, side).raw().toBuffer()
  return [0, 1, 2].map((channel) => Buffer.from(pixels.filter((_, at) => at % 3 === channel)))
}

/** From the smallest to the biggest: 16 with a mask, 16 with opacity, 32, 128. In all but the last the right edge may be clear. */
export async function appleIcons(): Promise<Buffer> {
  const small = await planes(16)
  const mask = Buffer.alloc(256, 255).fill(0, 255)
  const [other, biggest] = [await corners(32, 32).png().toBuffer(), await corners(128, 128).png().toBuffer()]
  return file(
    entry('is32', Buffer.concat(small.map(runs))),
    entry('s8mk', mask),
    entry('ic04', Buffer.concat([Buffer.from('ARGB'), ...[mask, ...small].map(runs)])),
    entry('ic11', other),
    entry('ic07', biggest),
  )
}

/** A picture that is no square where one should be. */
export const wideIcon = (png: Buffer): Buffer => file(entry('ic07', png))

export async function jpeg2000(): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-icns-'))
  try {
    await writeFile(join(dir, 'a.png'), await corners(256, 256).png().toBuffer())
    await promisify(execFile)('/usr/bin/convert-im6.q16', [join(dir, 'a.png'), join(dir, 'a.jp2')])
    return file(entry('ic08', await readFile(join(dir, 'a.jp2'))))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
