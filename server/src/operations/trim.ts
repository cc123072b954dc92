/** trim: cut sound or moving pictures to a part of their time. */
import { Type } from 'typebox'
import { eachAlong } from './along.ts'
import { operation } from './operation.ts'
import { engine, filename, format, input_format, options } from './params.ts'

export const trim = operation({
  name: 'trim',
  summary: 'Cut sound or moving pictures to a part of their time.',
  lane: 'light',
  inputs: [1, 1000],
  does: 'trim',
  params: Type.Object({
    input_format,
    output_format: Type.Optional(format('Target extension; the default is the format of the input.')),
    filename,
    engine,
    options,
  }),
  run: (context) => eachAlong(context, 'trim'),
})
