/** Crop: a part of a picture, a film, a GIF or pages, by a frame that cannot leave them. */
import { OneFilePage } from '../../tools/one-file-page.tsx'
import { Bench } from './bench.tsx'
import { cropping, FRESH, run } from './state.ts'

export const CropPage = () => (
  <OneFilePage
    operation="crop"
    held={cropping}
    fresh={FRESH}
    run={run}
    bench={(subject) => <Bench key={subject.id} subject={subject} />}
  />
)
