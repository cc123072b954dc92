/** Palm databases: books of Mobipocket and Kindle among them. The first record tells which of the two, and whether locked. */
import { ascii, type Detector, found } from './finding.ts'

/** The eighth version of the format is what Kindles call KF8. */
const KF8 = 8

export const palm: Detector = (head) => {
  if (ascii(head, 60, 68) !== 'BOOKMOBI') return null
  const first = head.length < 82 ? head.length : head.readUInt32BE(78)
  if (first + 40 > head.length || ascii(head, first + 16, first + 20) !== 'MOBI')
    return found('mobi', 'azw3', 'azw', 'prc', 'pdb')
  if (head.readUInt16BE(first + 12) !== 0)
    return { among: [], refused: 'The book is protected against copying (DRM) and cannot be converted.' }
  return head.readUInt32BE(first + 36) >= KF8 ? found('azw3', 'azw') : found('mobi', 'azw', 'prc', 'pdb')
}
