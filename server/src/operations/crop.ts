/** crop: cut a picture, a video or pages to a part. */
import { Type } from 'typebox'
import { eachAlong } from './along.ts'
import { operation } from './operation.ts'
import { engine, filename, format, input_format, options } from './params.ts'

export const crop = operation({
  name: 'crop',
  summary: 'Cut a picture, a video or pages to a part.',
  lane: 'light',
  inputs: [1, 1000],
  does: 'crop',
  params: Type.Object({
    input_format,
    output_format: Type.Optional(format('Target extension; the default is the format of the input.')),
    filename,
    engine,
    options,
  }),
  run: (context) => eachAlong(context, 'crop'),
})
