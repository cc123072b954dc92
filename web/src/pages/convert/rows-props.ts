/** What the list of files and each of its rows are given. */
import type { Aim, Opened } from './aim.ts'
import type { List } from './list.ts'
import type { Planned } from './use-conversion.ts'

export interface RowsProps {
  aim: Aim
  list: List
  planned: readonly Planned[]
  start: (planned: Planned) => Promise<void>
  open: (opened: Opened) => void
}
