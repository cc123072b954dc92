/** Which files an operation takes, by their names; the server looks at the content afterwards. */

import { notifications } from '@mantine/notifications'
import type { Processing } from '@reforge/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNotifyError } from '../components/error-box.tsx'
import { formatsQuery } from '../data/queries.ts'
import { extensionOf } from '../formats/common.ts'
import { useReforge, useSession } from '../session/session.tsx'
import { useTexts } from '../texts/texts.tsx'
import { nameOf, type Source } from '../work/source.ts'
import { type Subject, subjectOf } from './subject.ts'

export function useAccepted(operation: Processing, add: (subjects: Subject[]) => void) {
  const reforge = useReforge()
  const { enter } = useSession()
  const texts = useTexts().tools
  const notifyError = useNotifyError()
  const queries = useQueryClient()
  const take = async (sources: readonly Source[]) => {
    const formats = await queries.ensureQueryData(formatsQuery(reforge, operation, {}))
    const known = new Map(
      formats.flatMap((format) => [format.ext, ...(format.aliases ?? [])].map((name) => [name, format])),
    )
    const found = sources.map((source) => ({ source, format: known.get(extensionOf(nameOf(source))) }))
    const refused = found.flatMap(({ source, format }) => (format ? [] : [nameOf(source)]))
    if (refused.length > 0) notifications.show({ message: texts.cannot(refused), color: 'red', role: 'alert' })
    const subjects = found.flatMap(({ source, format }) =>
      format ? [subjectOf(source, { format: format.ext, family: format.family })] : [],
    )
    if (subjects.length === 0) return
    // Before anything is sent: becoming a guest forgets what is under way.
    await enter()
    add(subjects)
  }
  return {
    takeFiles: (files: File[]) => void take(files.map((file) => ({ kind: 'file', file }))).catch(notifyError),
    takeLink: (url: string) => void take([{ kind: 'link', url }]).catch(notifyError),
  }
}
