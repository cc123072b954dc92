/** "Did you mean …?": the name that is closest to a misspelt one. */

/** Damerau–Levenshtein (a swap of neighbours counts once), on at most a hundred characters each. */
export const distance = (a: string, b: string): number => {
  const [s, t] = [a.slice(0, 100), b.slice(0, 100)]
  const rows: number[][] = Array.from({ length: s.length + 1 }, (_, i) => [i])
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let j = 0; j <= t.length; j += 1) rows[0]![j] = j
  for (let i = 1; i <= s.length; i += 1) {
    for (let j = 1; j <= t.length; j += 1) {
      const same = s[i - 1] === t[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && s[i - 1] === t[j - 2] && s[i - 2] === t[j - 1]
      rows[i]![j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(s.length, t.length)
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The nearest of the names, or null when none is near. Case, dashes and underscores do not count. */
export const nearest = (given: string, names: readonly string[]): string | null => {
  const ranked = names.map((name) => ({ name, off: distance(plain(given), plain(name)) })).sort((a, b) => a.off - b.off)
  const best = ranked[0]
  return best !== undefined && best.off <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : null
}
