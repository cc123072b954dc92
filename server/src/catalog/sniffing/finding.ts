/** What content tells about its format. Detectors look at bytes only; the name is asked afterwards, in sniff.ts. */
import type { Ext } from '../formats.ts'

export interface Finding {
  /** What it can be; the name chooses, and the first is taken when the name says nothing. */
  readonly among: readonly Ext[]
  /** The bytes fit, but would by chance too: counts only when the name says the same. */
  readonly weak?: true
  /** Why it is not taken at all, in words for the user. */
  readonly refused?: string
  /** It cannot be read without its password. */
  readonly encrypted?: true
}

/** Looks at the first bytes, and at the last ones where they are known. */
export type Detector = (head: Buffer, tail: Buffer) => Finding | null

export const found = (...among: readonly Ext[]): Finding => ({ among })

/** Bytes as text, one letter each. */
export const ascii = (bytes: Buffer, from = 0, to = bytes.length): string => bytes.toString('latin1', from, to)
