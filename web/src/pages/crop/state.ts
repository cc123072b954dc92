/** What is being cropped, kept while one looks at another page. */
import type { Settings } from '../../settings/settings-form.tsx'
import { createHeld } from '../../tools/held.ts'
import { createRun } from '../../tools/run.ts'
import type { Subject } from '../../tools/subject.ts'
import type { Frame, Size } from './frame.ts'

interface Cropping {
  subject: Subject | null
  /** Null until the picture is there. */
  whole: Size | null
  frame: Frame | null
  ratio: string
  /** Undefined: as it is. */
  to?: string | undefined
  settings: Settings
}

export const FRESH: Cropping = {
  subject: null,
  whole: null,
  frame: null,
  ratio: 'free',
  to: undefined,
  settings: { values: {} },
}
export const cropping = createHeld<Cropping>(FRESH)
export const run = createRun()
