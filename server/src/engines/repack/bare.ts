/** What stands in the place of what a document says of its author, company and history. Pure. */
import type { Ext } from '../../catalog/formats.ts'

const OFFICE = 'http://schemas.openxmlformats.org'
const NONE = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const OOXML = [
  {
    name: 'docProps/core.xml',
    text: `${NONE}<cp:coreProperties xmlns:cp="${OFFICE}/package/2006/metadata/core-properties"/>`,
  },
  {
    name: 'docProps/app.xml',
    text: `${NONE}<Properties xmlns="${OFFICE}/officeDocument/2006/extended-properties"/>`,
  },
  {
    name: 'docProps/custom.xml',
    text: `${NONE}<Properties xmlns="${OFFICE}/officeDocument/2006/custom-properties"/>`,
  },
]
const ODF = [
  {
    name: 'meta.xml',
    text: `${NONE}<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.2"><office:meta/></office:document-meta>`,
  },
]

export const bare = (ext: Ext): { name: string; text: string }[] =>
  (/^o/.test(ext) ? ODF : OOXML).map((one) => ({ ...one }))
