/** The list of operations. Adding one is one file and one line here. */
import { compress } from './compress.ts'
import { convert } from './convert.ts'
import { crop } from './crop.ts'
import { exportUrl } from './export/url.ts'
import { importBase64 } from './import/base64.ts'
import { importUpload } from './import/upload.ts'
import { importUrl } from './import/url.ts'
import { merge } from './merge.ts'
import type { Operation } from './operation.ts'
import { trim } from './trim.ts'

const list = [importUpload, importUrl, importBase64, convert, compress, merge, crop, trim, exportUrl]

export type Operations = ReadonlyMap<string, Operation>

export const operations: Operations = new Map(list.map((each) => [each.name, each as unknown as Operation]))
