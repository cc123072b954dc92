/** merge: two or more files into one. */
import { Type } from 'typebox'
import { mergeAlong } from './along.ts'
import { operation } from './operation.ts'
import { engine, filename, format, options } from './params.ts'

export const merge = operation({
  name: 'merge',
  summary: 'Put two or more files together into one.',
  lane: 'light',
  inputs: [2, 1000],
  does: 'merge',
  params: Type.Object({ output_format: format('Target extension, such as pdf or gif.'), filename, engine, options }),
  run: mergeAlong,
})
