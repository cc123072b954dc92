/** Times as people write them: `4.2`, `1:23.4`, `1:02:03`. Pure. */

/** Seconds, or null for what is no time. */
export function readTime(text: string): number | null {
  const match = /^(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:[.,]\d*)?)$/.exec(text.trim())
  if (!match) return null
  const [, hours = '0', minutes, seconds = '0'] = match
  const last = Number(seconds.replace(',', '.'))
  if (minutes !== undefined && (last >= 60 || Number(minutes) >= 60)) return null
  return Number(hours) * 3600 + Number(minutes ?? 0) * 60 + last
}

const two = (value: number): string => String(value).padStart(2, '0')

/** To the hundredth; tenths are always shown. */
export function writeTime(time: number): string {
  const hundredths = Math.round(time * 100)
  const [whole, rest] = [Math.floor(hundredths / 100), hundredths % 100]
  const part = rest % 10 === 0 ? String(rest / 10) : two(rest)
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}.${part}` : `${minutes}:${two(seconds)}.${part}`
}
