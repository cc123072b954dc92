/** A recording as bars: the loudest of each stretch, and their outline. Pure. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const step = samples.length / count
  return Array.from({ length: count }, (_, at) => {
    let most = 0
    const end = Math.max(Math.floor(at * step) + 1, Math.floor((at + 1) * step))
    for (let i = Math.floor(at * step); i < end; i++) most = Math.max(most, Math.abs(samples[i] ?? 0))
    return most
  })
}

/** An SVG path of bars around a middle line at 50, each 1 wide; quiet recordings are drawn as high as loud ones. */
export function outlineOf(peaks: readonly number[]): string {
  const loudest = Math.max(0.02, ...peaks)
  return peaks
    .map((peak, at) => {
      const half = Math.max(0.8, (peak / loudest) * 46)
      return `M${at + 0.2} ${(50 - half).toFixed(1)}h.6v${(2 * half).toFixed(1)}h-.6z`
    })
    .join('')
}
