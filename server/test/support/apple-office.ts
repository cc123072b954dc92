/** Documents of Apple's Pages, Numbers and Keynote as they were in 2009: a ZIP with one text in markup. */
import { zipOf } from './zip-of.ts'

const SPACE = 'http://developer.apple.com/namespaces'

const packed = (name: string, root: string, prefix: string, space: string, body: string): Buffer =>
  zipOf({
    [name]: Buffer.from(
      `<?xml version="1.0"?><${prefix}:${root} xmlns:sfa="${SPACE}/sfa" xmlns:sf="${SPACE}/sf" xmlns:${prefix}="${SPACE}/${space}" ${prefix}:version="92008102400">${body}</${prefix}:${root}>`,
    ),
  })

const paragraph = (words: string): string => `<sf:layout><sf:p>${words}<sf:br/></sf:p></sf:layout>`
const layers = (drawn: string): string =>
  `<sf:layers><sf:layer><sf:drawables>${drawn}</sf:drawables></sf:layer></sf:layers>`

function placed(width: number, height: number): string {
  const size = `sfa:w="${width}" sfa:h="${height}"`
  return `<sf:geometry><sf:naturalSize ${size}/><sf:size ${size}/><sf:position sfa:x="50" sfa:y="50"/></sf:geometry>`
}

export const pages = (words: string): Buffer =>
  packed(
    'index.xml',
    'document',
    'sl',
    'sl',
    `<sf:text-storage sf:kind="body"><sf:text-body><sf:section>${paragraph(words)}</sf:section></sf:text-body></sf:text-storage>`,
  )

/** A table of one row: the words and a number. */
export function numbers(words: string, number: number): Buffer {
  const columns =
    '<sf:columns sf:count="2"><sf:grid-column sf:width="100"/><sf:grid-column sf:width="100"/></sf:columns>'
  const cells = `<sf:t sf:ct="0"><sf:ct sfa:s="${words}"/></sf:t><sf:n sf:v="${number}"/>`
  const grid = `<sf:grid sf:numcols="2" sf:numrows="1">${columns}<sf:rows sf:count="1"><sf:grid-row sf:height="20"/></sf:rows><sf:datasource>${cells}</sf:datasource></sf:grid>`
  const table = `<sf:tabular-info>${placed(200, 20)}<sf:tabular-model sf:name="Table" sf:id="T">${grid}</sf:tabular-model></sf:tabular-info>`
  const body = `<ls:workspace-array><ls:workspace ls:workspace-name="Sheet"><ls:page-info>${layers(table)}</ls:page-info></ls:workspace></ls:workspace-array>`
  return packed('index.xml', 'document', 'ls', 'ls', body)
}

/** A slide with a box of words. */
export function keynote(words: string): Buffer {
  const path =
    '<sf:path><sf:bezier-path><sf:bezier sfa:path="M 0 0 L 400 0 L 400 100 L 0 100 Z"/></sf:bezier-path></sf:path>'
  const text = `<sf:text><sf:text-storage sf:kind="textbox"><sf:text-body>${paragraph(words)}</sf:text-body></sf:text-storage></sf:text>`
  const box = `<sf:shape>${placed(400, 100)}${path}${text}</sf:shape>`
  const size = '<key:size sfa:w="800" sfa:h="600"/>'
  const body = `${size}<key:slide-list><key:slide><key:page>${layers(box)}</key:page></key:slide></key:slide-list>`
  return packed('index.apxl', 'presentation', 'key', 'keynote2', body)
}
