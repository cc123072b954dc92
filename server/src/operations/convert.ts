/** convert: convert a file to another format. */
import { Type } from 'typebox'
import { eachAlong } from './along.ts'
import { operation } from './operation.ts'
import { engine, filename, format, input_format, options } from './params.ts'

export const convert = operation({
  name: 'convert',
  summary: 'Convert a file to another format.',
  lane: 'light',
  inputs: [1, 1000],
  does: 'convert',
  params: Type.Object({
    input_format,
    output_format: format('Target extension.'),
    filename,
    engine,
    options,
  }),
  run: (context) => eachAlong(context, 'convert'),
})
