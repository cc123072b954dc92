/**
 * Makes a page smaller: the pictures it holds, comments, and white space that nobody sees. Scripts and styles stay as they
 * are, for they may mean every letter. Bytes are taken as letters, so that any code of text that knows ASCII will do. Runs
 * inside a box.
 */
import { type Piece, piecesOfPage } from '../kit/page-pieces.ts'
import { type PictureWish, smaller } from './pictures.ts'

const WIDE = /^(?:\xff\xfe|\xfe\xff|[^\0]\0|\0[^\0])/
const PICTURE = 'data:image/'
const HEAD = /^data:image\/(?:png|jpe?g);base64,/
/** What may follow the last letter: anything else, and it may go on. */
const ENDS = /^(?:["')]|&quot;|&#34;)/

const isBase64 = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43 || code === 61

async function withPictures(text: string, wish: PictureWish): Promise<{ text: string; changed: number }> {
  const parts: string[] = []
  let [done, changed] = [0, 0]
  for (let at = text.indexOf(PICTURE); at >= 0; at = text.indexOf(PICTURE, at + PICTURE.length)) {
    const start = at + (HEAD.exec(text.slice(at, at + 40))?.[0].length ?? 0)
    let end = start
    while (isBase64(text.charCodeAt(end))) end += 1
    if (start === at || !ENDS.test(text.slice(end, end + 6))) continue
    const made = await smaller(Buffer.from(text.slice(start, end), 'base64'), wish)
    if (made === null) continue
    parts.push(text.slice(done, start), made.toString('base64'))
    changed += 1
    done = end
  }
  return { text: [...parts, text.slice(done)].join(''), changed }
}

/** A style or script could make white space seen. */
const SEES_SPACE = /white-space|<link|<script|@import|xml:space/i
const AS_IT_IS = new Set(['pre', 'listing', 'textarea', 'xmp', 'plaintext'])
/** Some readers take what is in these for more than a comment. */
const MEANT = /^<!--(?:\[if|<!|#|\s*(?:ko|\/ko)\b)|\[endif\]|<!\[endif/i

/** One white space is as good as many, outside of what is shown as it is. */
function withoutWaste(html: string, strip: boolean): string {
  const squeezes = !SEES_SPACE.test(html)
  const parts: string[] = []
  let asItIs = 0
  const kept = (piece: Piece): string => {
    if (piece.is === 'comment') return strip && !MEANT.test(piece.text) ? '' : piece.text
    if (piece.is === 'cut') return piece.text
    if (piece.is === 'text')
      return squeezes && asItIs === 0
        ? piece.text.replaceAll(/[ \t\r\n\f]{2,}/g, (run) => (run.includes('\n') ? '\n' : ' '))
        : piece.text
    if (AS_IT_IS.has(piece.name)) asItIs = Math.max(0, asItIs + (piece.closing ? -1 : 1))
    return piece.text + piece.raw
  }
  for (const piece of piecesOfPage(html)) parts.push(kept(piece))
  return parts.join('')
}

export async function smallerPage(page: Buffer, wish: PictureWish): Promise<{ bytes: Buffer; changed: number }> {
  const html = page.toString('latin1')
  if (WIDE.test(html)) return { bytes: page, changed: 0 }
  const { text, changed } = await withPictures(html, wish)
  return { bytes: Buffer.from(withoutWaste(text, wish.strip), 'latin1'), changed }
}
