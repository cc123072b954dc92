/** What is cropped, to look at: by the browser where it can, else as the server draws it. Tells how big it is. */
import { NumberInput, Slider, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { Values } from '../../settings/conditions.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useOwn } from '../../tools/own.ts'
import classes from './crop.module.css'
import { Drawn, type FramedProps, Image, Waiting } from './drawn.tsx'
import type { Size } from './frame.ts'

interface PictureProps extends FramedProps {
  /** Of the form: a password may be needed to look at it at all. */
  values: Values
}

/** Pages are drawn at twice the measure in which they are cropped, 72 to the inch. */
const SHARP = 2

export function Picture(props: PictureProps) {
  if (props.subject.format === 'pdf') return <Page {...props} />
  return props.subject.family === 'video' ? <Film {...props} /> : <Still {...props} />
}

function Still({ subject, onSize, framed }: PictureProps) {
  const [broken, setBroken] = useState(false)
  const own = useOwn(subject, !broken)
  if (broken) return <Drawn subject={subject} steps={[{ output_format: 'jpg' }]} onSize={onSize} framed={framed} />
  return own ? (
    <Image url={own} subject={subject} onSize={onSize} onError={() => setBroken(true)} framed={framed} />
  ) : (
    <Waiting />
  )
}

function Film(props: PictureProps) {
  const { subject, onSize, framed } = props
  const texts = useTexts().crop
  const [broken, setBroken] = useState(false)
  const [length, setLength] = useState(0)
  const [moment, setMoment] = useState(0)
  const film = useRef<HTMLVideoElement>(null)
  const own = useOwn(subject, !broken)
  if (broken) return <FilmFrame {...props} />
  if (!own) return <Waiting />
  return (
    <>
      {framed(
        <video
          ref={film}
          src={own}
          className={classes.picture}
          muted
          playsInline
          preload="auto"
          aria-label={texts.alt(subject.name)}
          onLoadedMetadata={({ currentTarget: { videoWidth: width, videoHeight: height, duration } }) => {
            if (width === 0) return setBroken(true)
            setLength(Number.isFinite(duration) ? duration : 0)
            onSize({ width, height })
          }}
          onError={() => setBroken(true)}
        />,
      )}
      {length > 0 && (
        <div className={classes.below}>
          <Text size="sm" fw={500}>
            {texts.moment}
          </Text>
          <Slider
            min={0}
            max={length}
            step={0.1}
            value={moment}
            label={(value) => `${value.toFixed(1)} s`}
            thumbLabel={texts.moment}
            onChange={(value) => {
              setMoment(value)
              if (film.current) film.current.currentTime = value
            }}
          />
        </div>
      )}
    </>
  )
}

/** Of a film that the browser does not play, one picture at a time. */
function FilmFrame({ subject, onSize, framed }: PictureProps) {
  const texts = useTexts().crop
  const [moment, setMoment] = useState(0)
  const [asked] = useDebouncedValue(moment, 400)
  const steps = [{ output_format: 'jpg', options: { frame_time: String(asked) } }]
  return (
    <>
      <Drawn subject={subject} steps={steps} onSize={onSize} framed={framed} />
      <NumberInput
        className={classes.below}
        label={texts.moment}
        description={texts.momentHint}
        min={0}
        step={1}
        decimalScale={2}
        value={moment}
        onChange={(value) => setMoment(Number(value) || 0)}
      />
    </>
  )
}

function Page({ subject, values, onSize, framed }: PictureProps) {
  const texts = useTexts().crop
  const [page, setPage] = useState(1)
  const [asked] = useDebouncedValue(page, 400)
  const password = values.pdf_password
  const options = { pdf_pages: String(asked), pdf_dpi: 72 * SHARP, ...(password && { pdf_password: String(password) }) }
  const sized = ({ width, height }: Size) =>
    onSize({ width: Math.round(width / SHARP), height: Math.round(height / SHARP) })
  return (
    <>
      <Drawn subject={subject} steps={[{ output_format: 'jpg', options }]} onSize={sized} framed={framed} />
      <NumberInput
        className={classes.below}
        label={texts.page}
        description={texts.pageHint}
        min={1}
        allowDecimal={false}
        value={page}
        onChange={(value) => setPage(Number(value) || 1)}
      />
    </>
  )
}
