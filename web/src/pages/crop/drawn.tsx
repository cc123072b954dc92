/** A picture in its frame, and one that the server draws first. */
import { Center, Skeleton, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Subject } from '../../tools/subject.ts'
import { type Step, useView } from '../../tools/view.ts'
import classes from './crop.module.css'
import type { Size } from './frame.ts'

export interface FramedProps {
  subject: Subject
  onSize: (whole: Size) => void
  /** Puts the frame around the picture. */
  framed: (picture: ReactNode) => ReactNode
}

export function Drawn({ subject, steps, onSize, framed }: FramedProps & { steps: readonly Step[] }) {
  const { data, error, refetch } = useView(subject, steps)
  const [broken, setBroken] = useState(false)
  const { tools } = useTexts()
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />
  if (broken) return <Text c="dimmed">{tools.noPicture}</Text>
  return data ? (
    <Image url={data} subject={subject} onSize={onSize} onError={() => setBroken(true)} framed={framed} />
  ) : (
    <Waiting />
  )
}

interface ImageProps extends FramedProps {
  url: string
  onError: () => void
}

export function Image({ url, subject, onSize, onError, framed }: ImageProps) {
  const texts = useTexts().crop
  return framed(
    <img
      src={url}
      alt={texts.alt(subject.name)}
      className={classes.picture}
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
        // A drawing without a size has none.
        width > 0 ? onSize({ width, height }) : onError()
      }
      onError={onError}
    />,
  )
}

export function Waiting() {
  const { tools } = useTexts()
  return (
    <Center w="100%" mih={320} pos="relative">
      <Skeleton h="100%" w="100%" pos="absolute" />
      <Text size="sm" role="status" pos="relative">
        {tools.preparing}
      </Text>
    </Center>
  )
}
