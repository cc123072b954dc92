/** Several results as one ZIP, made by the server and fetched by the browser. */
import { ReforgeError } from '@reforge/sdk'
import { useState } from 'react'
import { here } from '../../place.ts'
import { useReforge } from '../../session/session.tsx'

/** As if its link had been clicked. */
export function fetchByBrowser(url: string, filename: string): void {
  const link = Object.assign(document.createElement('a'), { href: here(url), download: filename })
  link.click()
}

export function useArchive() {
  const reforge = useReforge()
  const [archiving, setArchiving] = useState(false)
  const archive = async (tasks: readonly string[], filename: string): Promise<void> => {
    setArchiving(true)
    try {
      const { id } = await reforge.tasks.create('export/url', {
        input: [...tasks],
        archive_multiple_files: true,
        filename,
      })
      const { status, result } = await reforge.tasks.wait(id)
      if (status !== 'completed' || !result.url) throw new ReforgeError(result.msg ?? '', { code: 'export_failed' })
      fetchByBrowser(result.url, filename)
    } finally {
      setArchiving(false)
    }
  }
  return { archive, archiving }
}
