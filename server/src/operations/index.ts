/** The list of operations. Adding one is one file and one line here. */
import { compress } from './compress.ts'
import { convert } from './convert.ts'
import { crop } from './crop.ts'
import { exportBlobstore } from './export/blobstore.ts'
import { exportObjstoreA } from './export/objstore-a.ts'
import { exportObjstoreB } from './export/objstore-b.ts'
import { exportSftp } from './export/sftp.ts'
import { exportUrl } from './export/url.ts'
import { importBase64 } from './import/base64.ts'
import { importBlobstore } from './import/blobstore.ts'
import { importObjstoreA } from './import/objstore-a.ts'
import { importObjstoreB } from './import/objstore-b.ts'
import { importSftp } from './import/sftp.ts'
import { importUpload } from './import/upload.ts'
import { importUrl } from './import/url.ts'
import { importWebpage } from './import/webpage.ts'
import { merge } from './merge.ts'
import type { Operation } from './operation.ts'
import { trim } from './trim.ts'

const list = [
  importUpload,
  importUrl,
  importBase64,
  importWebpage,
  importObjstoreA,
  importObjstoreB,
  importBlobstore,
  importSftp,
  convert,
  compress,
  merge,
  crop,
  trim,
  exportUrl,
  exportObjstoreA,
  exportObjstoreB,
  exportBlobstore,
  exportSftp,
]

export type Operations = ReadonlyMap<string, Operation>

export const operations: Operations = new Map(list.map((each) => [each.name, each as unknown as Operation]))
