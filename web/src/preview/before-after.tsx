/** Two pictures over each other, with an edge to draw between them: by pointer, finger or arrow keys. */
import { useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './preview.module.css'

export function BeforeAfter({ before, after, alt }: { before: string; after: string; alt: string }) {
  const { preview } = useTexts().shared
  const [share, setShare] = useState(50)
  return (
    <div className={classes.compare}>
      <img src={after} alt={alt} className={classes.picture} />
      <img src={before} alt="" className={classes.over} style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }} />
      <span className={classes.tagBefore} aria-hidden="true">
        {preview.before}
      </span>
      <span className={classes.tagAfter} aria-hidden="true">
        {preview.after}
      </span>
      <span className={classes.edge} style={{ left: `${share}%` }} aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        onChange={({ currentTarget }) => setShare(Number(currentTarget.value))}
        aria-label={preview.slider}
        className={classes.range}
      />
    </div>
  )
}
