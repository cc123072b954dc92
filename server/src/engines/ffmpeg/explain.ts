/** What ffmpeg's words mean for the user. Never shows them: they go to the log. Pure. */

const REASONS: readonly (readonly [words: RegExp, reason: (name: string, found: RegExpExecArray) => string])[] = [
  [
    /Invalid UTF-8 in decoded subtitles/,
    (name) => `The letters of "${name}" are not UTF-8: say which with subtitle_charset.`,
  ],
  [
    /moov atom not found/,
    (name) => `"${name}" is incomplete: its index is missing. It was probably not saved to the end.`,
  ],
  [
    /Decoder \(codec ([\w-]{1,40})\) not found|no decoder found for: ([\w-]{1,40})/i,
    (name, [, codec, other]) => `"${name}" is coded as ${codec ?? other}, which cannot be read here.`,
  ],
  [
    /Format not on whitelist|Protocol '.*' not on whitelist/,
    (name) => `"${name}" is not what its name and first bytes say.`,
  ],
  [
    /Picture size \d+x\d+ (?:exceeds|is invalid)|max_pixels/i,
    (name) => `The picture of "${name}" has more pixels than are taken.`,
  ],
  [
    /does not contain any stream|matches no streams/,
    (name) => `There is nothing in "${name}" that such a result could hold.`,
  ],
  [/encrypt|DRM|decryption key/i, (name) => `"${name}" is protected against copying.`],
  [/No space left on device|File too large/i, () => 'The result is bigger than allowed.'],
  [/Cannot allocate memory/i, () => 'The conversion needs more memory than allowed. A smaller picture may work.'],
  [
    /End of file|partial file|Invalid data found/i,
    (name) => `"${name}" could not be read: it is damaged or incomplete.`,
  ],
]

export function explain(words: string, filename: string): string | null {
  for (const [pattern, reason] of REASONS) {
    const found = pattern.exec(words)
    if (found) return reason(filename, found)
  }
  return null
}
