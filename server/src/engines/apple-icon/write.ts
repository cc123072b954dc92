/** How an Apple icon is put together of PNGs. Pure. */

/** The four letters under which a picture of that side is found; those for screens with finer dots read everywhere. */
export const KINDS: Readonly<Record<number, string>> = {
  ...{ 16: 'icp4', 32: 'ic11', 64: 'ic12', 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' },
}

const entry = (kind: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(body.length + 8, 4)
  return Buffer.concat([head, body])
}

export const iconFile = (pictures: readonly (readonly [side: number, png: Buffer])[]): Buffer =>
  entry('icns', ...pictures.map(([side, png]) => entry(KINDS[side] ?? 'ic07', png)))
