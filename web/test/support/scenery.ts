/** Pictures that are nice to look at, for screenshots: hills in the evening, drawn here so that they are ours. */
import sharp from 'sharp'

const PALETTES = [
  ['#2b1d3a', '#b8465a', '#f6a05f', '#3c2b4f', '#2a1f3d', '#1a1428'],
  ['#0d2b45', '#3f7d9e', '#d9e8e0', '#3e6b6b', '#27504f', '#153434'],
  ['#3a1f12', '#c8642b', '#ffd27a', '#7a3b1d', '#532612', '#2e140a'],
] as const

const wave = (y: number, height: number, shift: number): string => {
  const points = Array.from({ length: 25 }, (_, n) => {
    const x = n * 60
    return `${x},${y - height * Math.sin((n + shift) / 2.6) - height * 0.5 * Math.sin((n * 1.7 + shift) / 1.3)}`
  })
  return `M0,1000 L${points.join(' L')} L1440,1000 Z`
}

/** The same number, the same picture. */
export function scenery(number: number, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  const [top, middle, low, far, near, front] = PALETTES[number % PALETTES.length] ?? PALETTES[0]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1440 960" width="1440" height="960">
    <defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${top}"/><stop offset=".55" stop-color="${middle}"/><stop offset="1" stop-color="${low}"/></linearGradient></defs>
    <rect width="1440" height="960" fill="url(#s)"/><circle cx="${500 + 220 * (number % 3)}" cy="470" r="86" fill="${low}"/>
    <path d="${wave(600, 46, number)}" fill="${far}"/><path d="${wave(710, 58, number + 4)}" fill="${near}"/><path d="${wave(840, 40, number + 9)}" fill="${front}"/></svg>`
  return sharp(Buffer.from(svg))[format]().toBuffer()
}
