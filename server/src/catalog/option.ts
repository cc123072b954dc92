/**
 * How options are declared: each once, as data. Validation, option queries, forms and documentation are read from it.
 * Nothing here reads a value: see read.ts and resolve.ts.
 */
import type { Ext } from './formats.ts'

export type Kind = 'boolean' | 'integer' | 'number' | 'string' | 'choice' | 'color' | 'time' | 'size' | 'length'
export type Scalar = string | number | boolean

/** A distance in an image: pixels, or a share of the whole. */
export interface Length {
  amount: number
  unit: 'px' | '%'
}

/** Other options by name, each with the values it must have. */
export type Conditions<C extends string = string> = { readonly [K in C]?: readonly Scalar[] }

interface Traits<C extends string> {
  /** The name in a form; by default made of the option's name. */
  label?: string
  hint: string
  units?: string
  /** Not among the first in a form. */
  more?: true
  /** Given to every hop of a route that knows it, not to the last one only: what opens a file, say. */
  everywhere?: true
  /** A password: sealed at rest and never shown again. */
  secret?: true
  /** Of a boolean: where it is on, the task has two inputs that are one piece of work; the second is of these formats. */
  joins?: readonly Ext[]
  /** "effective only if the condition option is also present in the task with one of the `meta` values" */
  needs?: Conditions<C>
  /** "may be used alone. If the condition option is also present, it must have one of the `meta` values." */
  agrees?: Conditions<C>
}

interface Bounds {
  min?: number
  max?: number
}

interface Words {
  /** Of the whole value. */
  pattern?: RegExp
  /** What `pattern` means, for the message: `pages like 1-3,5`. */
  expects?: string
  maxLength?: number
  /** Line breaks are welcome. */
  multiline?: true
}

/**
 * One option. `neutral` is what an earlier hop of a route uses when the option belongs to a later one: it leaves the file
 * as it is (strip: false), so that the later hop can still do as it is told. Without it the default is used.
 */
export interface Option<T = unknown, C extends string = string> extends Traits<C>, Bounds, Words {
  readonly kind: Kind
  readonly default?: T
  readonly neutral?: T
  /** Of a choice: value → label. Names that look like whole numbers come first, in order. */
  readonly choices?: Readonly<Record<string, string>>
  /** Of a size: what a bare number counts. */
  readonly unit?: SizeUnit
  /** Of a colour: transparency is allowed. */
  readonly alpha?: true
}

export type OptionSet = Readonly<Record<string, Option>>

/** What an engine reads: an option with a default is never undefined. */
export type Values<S extends OptionSet> = {
  readonly [K in keyof S]: S[K] extends { readonly default: infer D }
    ? D
    : S[K] extends Option<infer T>
      ? T | undefined
      : never
}

export type SizeUnit = 'B' | 'KB' | 'MB'

/** The names in the conditions come from the declaration alone, never from where the option is put. */
type Named<T, C extends string> = Option<T, NoInfer<C>>

interface Build<T, M> {
  <C extends string = never>(traits: Traits<C> & M & { default: T; neutral?: T }): Named<T, C> & { readonly default: T }
  <C extends string = never>(traits: Traits<C> & M & { neutral?: T }): Named<T, C>
}

function choice<const V extends Readonly<Record<string, string>>, C extends string = never>(
  choices: V,
  traits: Traits<C> & { default: keyof V & string; neutral?: keyof V & string },
): Named<keyof V & string, C> & { readonly default: keyof V & string }
function choice<const V extends Readonly<Record<string, string>>, C extends string = never>(
  choices: V,
  traits: Traits<C> & { neutral?: keyof V & string },
): Named<keyof V & string, C>
function choice(choices: Readonly<Record<string, string>>, traits: Traits<string>): Option<string> {
  return { ...traits, kind: 'choice', choices }
}

const build =
  <T, M = object>(kind: Kind): Build<T, M> =>
  (traits: Traits<never> & { default?: T }): Option<T, never> & { readonly default: T } =>
    // The overloads above say when `default` is there; one body serves both.
    ({ ...traits, kind }) as Option<T, never> & { readonly default: T }

export const option = {
  boolean: build<boolean>('boolean'),
  integer: build<number, Bounds>('integer'),
  number: build<number, Bounds>('number'),
  string: build<string, Words>('string'),
  /** One of a few: `{ value: label }`. */
  choice,
  /** `#RRGGBB`; with `alpha` also `#RRGGBBAA` and `transparent`. The value is lower case hex. */
  color: build<string, { alpha?: true }>('color'),
  /** `HH:MM:SS[.ss]`, `MM:SS` or seconds. The value is seconds. */
  time: build<number, Bounds>('time'),
  /** A file size: a bare number counts `unit`, or say `500KB`, `1.5 MB`. The value, and the bounds, are bytes. */
  size: build<number, Bounds & { unit: SizeUnit }>('size'),
  /** Pixels (`100`, `100px`) or a share (`50%`). */
  length: build<Length, Bounds>('length'),
}

type NamedBy<O extends Option> = keyof NonNullable<O['needs']> | keyof NonNullable<O['agrees']>
type Sound<S extends OptionSet> = { [K in keyof S]: NamedBy<S[K]> extends keyof S ? unknown : never }

/** A set of options that belong together. A condition that names no member does not compile. */
export const options = <const S extends OptionSet>(set: S & Sound<S>): S => set
