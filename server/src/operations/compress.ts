/** compress: make a file smaller, in its own format or another. */
import { Type } from 'typebox'
import { eachAlong } from './along.ts'
import { operation } from './operation.ts'
import { engine, filename, format, input_format, options } from './params.ts'

export const compress = operation({
  name: 'compress',
  summary: 'Make a file smaller, in its own format or another.',
  lane: 'light',
  inputs: [1, 1000],
  does: 'compress',
  params: Type.Object({
    input_format,
    output_format: Type.Optional(format('Target extension; the default is the format of the input.')),
    filename,
    engine,
    options,
  }),
  run: (context) => eachAlong(context, 'compress'),
})
