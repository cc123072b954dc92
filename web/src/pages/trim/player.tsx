/** The recording or the film with its time line and its parts. */
import { Button, Center, Group, Loader, Paper, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode, RefObject, SyntheticEvent } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Subject } from '../../tools/subject.ts'
import { Parts } from './parts.tsx'
import { type Edge, further, type Range, withEdge } from './ranges.ts'
import { FilmStrip, Wave } from './strips.tsx'
import { writeTime } from './time.ts'
import { Timeline } from './timeline.tsx'
import classes from './trim.module.css'
import { type Media, useMedia } from './use-media.ts'
import { usePlayer } from './use-player.ts'

export interface Cut {
  /** Zero until it is known. */
  duration: number
  ranges: readonly Range[]
  active?: string | undefined
}

interface PlayerProps {
  subject: Subject
  cut: Cut
  onCut: (cut: Partial<Cut>) => void
}

export function TrimPlayer({ subject, cut, onCut }: PlayerProps) {
  const texts = useTexts().trim
  const { duration, ranges, active } = cut
  const media = useMedia(subject)
  const player = usePlayer(ranges)
  const known = ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
    const isBlind = currentTarget instanceof HTMLVideoElement && currentTarget.videoWidth === 0
    // A film without pictures, or one that does not say how long it is, is played only in part.
    if (!media.isMade && (isBlind || !Number.isFinite(currentTarget.duration))) return media.refuse()
    const length = currentTarget.duration
    if (length === cut.duration) return
    const id = crypto.randomUUID()
    onCut({ duration: length, ranges: [{ id, start: 0, end: Math.floor(length * 1000) / 1000 }], active: id })
  }
  const edge = (id: string, which: Edge, to: number | 'now') => {
    const at = to === 'now' ? player.time : to
    const next = ranges.map((range) => (range.id === id ? withEdge(range, which, at, duration) : range))
    onCut({ ranges: next, active: id })
    const moved = next.find((range) => range.id === id)
    // One looks at the picture where one cuts.
    if (moved && !player.isPlaying && to !== 'now') player.seek(moved[which])
  }
  const add = () => {
    const id = crypto.randomUUID()
    onCut({ ranges: [...ranges, further(ranges, duration, id)], active: id })
  }
  const remove = (id: string) => {
    const left = ranges.filter((range) => range.id !== id)
    onCut({ ranges: left, active: left.at(-1)?.id })
  }
  if (media.error) return <ErrorBox error={media.error} onRetry={media.retry} />
  return (
    <Paper>
      <Stack gap="md">
        {media.url && <Screen subject={subject} media={media} of={player.media} onKnown={known} />}
        {duration === 0 || !media.url ? (
          <Waiting>{media.isMade && texts.preparing}</Waiting>
        ) : (
          <>
            <Timeline
              duration={duration}
              ranges={ranges}
              active={active}
              time={player.time}
              onEdge={edge}
              onActive={(id) => id !== active && onCut({ active: id })}
              onSeek={player.seek}
            >
              {media.isFilm ? <FilmStrip url={media.url} /> : <Wave subject={subject} />}
            </Timeline>
            <Group justify="space-between">
              <Button
                variant="light"
                leftSection={player.isPlaying ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
                onClick={() => (player.isPlaying ? player.pause() : player.play(ranges.map(({ id }) => id)))}
              >
                {player.isPlaying ? texts.pause : texts.play}
              </Button>
              <Text size="sm" c="dimmed">
                {writeTime(player.time)}
              </Text>
            </Group>
            <Parts
              ranges={ranges}
              active={active}
              onEdge={edge}
              onPlay={(id) => player.play([id])}
              onRemove={remove}
              onAdd={add}
            />
            <Text size="xs" c="dimmed" visibleFrom="sm">
              {texts.keys}
            </Text>
          </>
        )}
      </Stack>
    </Paper>
  )
}

interface ScreenProps {
  subject: Subject
  media: Media
  of: RefObject<HTMLMediaElement | null>
  onKnown: (event: SyntheticEvent<HTMLMediaElement>) => void
}

function Screen({ subject, media, of, onKnown }: ScreenProps) {
  const texts = useTexts().trim
  const take = (element: HTMLMediaElement | null) => {
    of.current = element
  }
  const rest = { src: media.url ?? '', preload: 'auto', onLoadedMetadata: onKnown, onError: media.refuse } as const
  if (!media.isFilm) return <audio ref={take} aria-label={texts.sound(subject.name)} {...rest} />
  return <video ref={take} className={classes.screen} playsInline aria-label={texts.film(subject.name)} {...rest} />
}

const Waiting = ({ children }: { children: ReactNode }) => (
  <Center mih={180}>
    <Stack align="center" gap="xs">
      <Loader type="bars" />
      <Text size="sm" c="dimmed" role="status">
        {children}
      </Text>
    </Stack>
  </Center>
)
