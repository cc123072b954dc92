/** Parameters that several operations share. */
import { Type } from 'typebox'

export const filename = Type.Optional(
  Type.String({ maxLength: 1000, description: 'Name of the file that comes out; path parts are removed.' }),
)

export const format = (description: string) => Type.String({ minLength: 1, maxLength: 32, description })

export const options = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Advanced options, name to value, as the options query lists them.',
  }),
)

export const engine = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'Use this engine and no other; the default is the best one for the pair.',
  }),
)

export const input_format = Type.Optional(
  Type.String({
    maxLength: 32,
    description: 'Format of the input. It is found from the content, so this is needed only to insist.',
  }),
)
