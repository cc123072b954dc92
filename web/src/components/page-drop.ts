/** Files dropped or pasted anywhere on the page. */
import { useEffect, useEffectEvent, useState } from 'react'
import { filesIn } from './dropped.ts'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]')

/** The whole page is the target: nobody should have to aim. */
export function usePageDrop(take: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const taken = useEffectEvent(take)
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    let depth = 0
    const on = <T extends keyof DocumentEventMap>(type: T, listener: (event: DocumentEventMap[T]) => void) =>
      document.addEventListener(type, listener, { signal })
    on('dragenter', (event) => {
      if (!hasFiles(event)) return
      depth++
      setOver(true)
    })
    on('dragleave', (event) => {
      if (hasFiles(event) && --depth <= 0) setOver(false)
    })
    on('dragover', (event) => hasFiles(event) && event.preventDefault())
    on('drop', (event) => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      depth = 0
      setOver(false)
      void filesIn(event.dataTransfer).then((files) => taken(files))
    })
    on('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0 || isTyping(event)) return
      event.preventDefault()
      taken(files)
    })
    return () => listening.abort()
  }, [])
  return over
}
