/** Crop: a part of a picture, a film, a GIF or pages, by a frame that cannot leave them. */
import { Button } from '@mantine/core'
import { IconFilePlus } from '@tabler/icons-react'
import { FileDrop } from '../../components/file-drop.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useHeld } from '../../tools/held.ts'
import { useRun } from '../../tools/run.ts'
import type { Subject } from '../../tools/subject.ts'
import { useAccepted } from '../../tools/use-accepted.ts'
import { Bench } from './bench.tsx'
import { cropping, FRESH, run } from './state.ts'

export function CropPage() {
  const texts = useTexts()
  const { subject } = useHeld(cropping)
  const { drop } = useRun(run)
  const begin = (next: Subject | null) => {
    drop(subject ? [subject] : [])
    cropping.set({ ...FRESH, subject: next })
  }
  const { takeFiles, takeLink } = useAccepted('crop', ([first]) => first && begin(first))
  return (
    <PageFrame
      title={texts.crop.title}
      lead={texts.crop.lead}
      actions={
        subject && (
          <Button size="xs" variant="default" leftSection={<IconFilePlus size={16} />} onClick={() => begin(null)}>
            {texts.tools.chooseOther}
          </Button>
        )
      }
    >
      {subject ? (
        <Bench key={subject.id} subject={subject} />
      ) : (
        <FileDrop
          title={texts.crop.drop}
          hint={texts.crop.dropHint}
          multiple={false}
          onFiles={takeFiles}
          onLink={takeLink}
        />
      )}
    </PageFrame>
  )
}
