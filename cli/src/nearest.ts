/** What was probably meant. Pure. */

/** How many letters to add, drop, change or swap with their neighbour. */
export function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const [above = [], twoAbove] = [rows[i - 1], rows[i - 2]]
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = twoAbove && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (twoAbove[j - 2] ?? 0) + 1 : Infinity
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** The nearest of these words, unless even that is another word altogether. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: { word: string; away: number } | undefined
  for (const candidate of words) {
    const away = distance(word.toLowerCase(), candidate.toLowerCase())
    if (away <= Math.max(1, Math.floor(word.length / 3)) && away < (best?.away ?? Infinity))
      best = { word: candidate, away }
  }
  return best?.word
}

/** ` Did you mean jpg?`, or nothing. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const meant = nearest(word, words)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
