/** The frame of a page that works on one file: a place to drop it, then the bench, and a way to take another. */
import { Button } from '@mantine/core'
import { IconFilePlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FileDrop } from '../components/file-drop.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import { useTexts } from '../texts/texts.tsx'
import { type Held, useHeld } from './held.ts'
import { type Run, useRun } from './run.ts'
import type { Subject } from './subject.ts'
import { useAccepted } from './use-accepted.ts'

interface OneFilePageProps<T extends { subject: Subject | null }> {
  operation: 'crop' | 'trim'
  held: Held<T>
  /** What the page knows of a file it has not seen. */
  fresh: T
  run: Run
  bench: (subject: Subject) => ReactNode
}

export function OneFilePage<T extends { subject: Subject | null }>(props: OneFilePageProps<T>) {
  const { operation, held, fresh, run, bench } = props
  const { tools, [operation]: texts } = useTexts()
  const { subject } = useHeld(held)
  const { drop } = useRun(run)
  const begin = (next: Subject | null) => {
    drop(subject ? [subject] : [])
    held.set({ ...fresh, subject: next })
  }
  const { takeFiles, takeLink } = useAccepted(operation, ([first]) => first && begin(first))
  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        subject && (
          <Button size="xs" variant="default" leftSection={<IconFilePlus size={16} />} onClick={() => begin(null)}>
            {tools.chooseOther}
          </Button>
        )
      }
    >
      {subject ? (
        bench(subject)
      ) : (
        <FileDrop title={texts.drop} hint={texts.dropHint} multiple={false} onFiles={takeFiles} onLink={takeLink} />
      )}
    </PageFrame>
  )
}
