/** A moment as people say it, with the exact one behind the pointer; stays true while one looks. */
import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { readableMoment, readableWhen } from './figures.ts'

/** The time, renewed every so often. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}

export function When({ at }: { at: string | number }) {
  const { when } = useTexts().shared
  const time = typeof at === 'number' ? at : Date.parse(at)
  const now = useNow(20_000)
  return (
    <Tooltip label={readableMoment(time)}>
      <time dateTime={new Date(time).toISOString()}>{readableWhen(time, now) ?? when.now}</time>
    </Tooltip>
  )
}
