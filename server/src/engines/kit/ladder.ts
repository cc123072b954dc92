/** How a size is reached: by trying, from the best way to the smallest. Pure; used by the server and inside boxes. */

/** The first step of the ladder, from the best, whose result is small enough: found by halving. */
export async function climb(steps: number, fits: (step: number) => Promise<boolean>): Promise<number | null> {
  let [low, high] = [0, steps - 1]
  if (await fits(0)) return 0
  if (high === 0 || !(await fits(high))) return null
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await fits(middle)) high = middle
    else low = middle
  }
  return high
}

/** A picture that small shows nothing any more. */
export const SMALLEST_SCALE = 0.02

/** How much smaller a picture should become. Bytes go with the area; a little less, to be there soon. */
export const scaleTo = (wanted: number, reached: number): number => Math.min(0.9, Math.sqrt(wanted / reached) * 0.95)
