/** How LibreOffice is kept warm: `server/native/office-zygote.c` in a box, which forks for every document. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ResidentKind } from '../../catalog/engine.ts'
import { YARD_INSIDE } from '../resident/forked.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** Built by setup where there is a compiler; without it every document is converted by a LibreOffice of its own. */
const HELPER = join(ROOT, '.tools/bin/office-zygote')

export const LIBREOFFICE = '/usr/lib/libreoffice/program'
/** One of each kind: what they need is loaded before the first document comes. */
const SAMPLES = ['text.fodt', 'sheet.fods', 'slides.fodp']

const MB = 2 ** 20
const SECONDS = 120

export const zygoteKind = (helper: string): ResidentKind => ({
  id: 'office',
  // Nothing of a document stays in the parent; it is only for the kernel's sake that it does not live for ever.
  recycleAfter: 2000,
  timeout: SECONDS * 1000,
  forks: { memory: 1024 * MB, file: 512 * MB, disk: 1024 * MB },
  spec: {
    command: (at) => [
      '/opt/reforge/office-zygote',
      LIBREOFFICE,
      at(YARD_INSIDE),
      at('/tmp/home'),
      ...SAMPLES.map((name) => at(`/opt/reforge/warm-up/${name}`)),
    ],
    readOnly: {
      '/opt/reforge/office-zygote': helper,
      '/opt/reforge/warm-up': join(ROOT, 'server/native/warm-up'),
    },
    // Of all children together; each has its own limits as well.
    limits: { memory: 4096 * MB, addressSpace: null, disk: 6144 * MB, processes: 512 },
  },
})

export const zygote: ResidentKind | null = existsSync(HELPER) ? zygoteKind(HELPER) : null
