/** Fields that say how to get into a storage, and the small checks they share. */
import { Type } from 'typebox'
import type { Issue } from '../../core/errors.ts'

export const text = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description })

export const secretText = (description: string) => Type.String({ minLength: 1, maxLength: 16_384, description })

/** A secret that may be left out or empty. */
export const perhapsSecret = (description: string) => Type.Optional(Type.String({ maxLength: 16_384, description }))

/** Object names have at most 1,024 bytes in all of these storages, paths may be longer. */
export const place = (description: string) => Type.Optional(Type.String({ maxLength: 4096, description }))

/** Sent by clients whose forms have an empty field. */
export const given = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Exactly one of two fields. */
export function eitherOr(params: Readonly<Record<string, unknown>>, one: string, other: string): Issue[] {
  const has = (name: string) => given(params[name])
  if (has(one) && has(other)) return [{ path: other, message: `must not be given together with ${one}.` }]
  return has(one) || has(other) ? [] : [{ path: one, message: `is required, unless ${other} is given.` }]
}
