/** Runs files along a route, hop by hop, and keeps what comes out. What an engine made is checked before it goes on. */
import type { Doing, Engine, InputFile } from '../catalog/engine.ts'
import { type Ext, extOf, formatOf } from '../catalog/formats.ts'
import { joiningOf, unfitToJoin } from '../catalog/joining.ts'
import { type Hop, optionsFor, type Route } from '../catalog/route.ts'
import { Failure, type Issue } from '../core/errors.ts'
import { numbered, resultName } from '../core/filename.ts'
import type { Json, JsonObject, TaskFile } from '../core/task.ts'
import type { Outcome, RunContext } from './operation.ts'
import { type Settled, settle } from './settle.ts'

interface Params {
  input_format?: string
  output_format?: string
  filename?: string
  engine?: string
  options?: Readonly<Record<string, unknown>>
}

/** Each file on its own; a task with several inputs makes several results, unless an option joins them. */
export async function eachAlong(context: RunContext<Params>, does: Doing): Promise<Outcome> {
  const { inputs, params } = context
  const files: TaskFile[] = []
  const shown: Shown[] = []
  for (const [index, input] of inputs.entries()) {
    const from = await formatOfInput(context, input)
    const settled = ways(context, does, [from])
    const joined = await joinedTo(context, settled, from)
    const parts = joined ? 1 : inputs.length
    const share = (percent: number) => context.progress((index * 100 + percent) / parts)
    const told: Told = { more: {}, instead: new Map() }
    const source = { path: await context.local(input), format: from, filename: input.filename, size: input.size }
    const made = await runHops(context, settled, settled.route.hops, [source], share, told, joined ?? false)
    const several = made.length > 1 || parts > 1
    for (const result of made) {
      const name = resultName(input.filename, result.format, params.filename, extOf)
      const clashes = several && (params.filename !== undefined || made.length > 1)
      files.push(await context.keep(result, clashes ? numbered(name, files.length + 1) : name))
    }
    shown.push({ settled, told })
    if (joined) break
  }
  return { files, more: report(shown) }
}

/** What goes into the first input, where an option says so. */
interface Joined {
  option: string
  file: InputFile
}

async function joinedTo(context: RunContext<Params>, settled: Settled, from: Ext): Promise<Joined | null> {
  const joining = joiningOf(settled.route.options, settled.values)
  if (!joining) return null
  const formats = [from]
  // What `input_format` says is said of the first.
  const { input_format: _, ...params } = context.params
  for (const input of context.inputs.slice(1)) formats.push(await formatOfInput({ ...context, params }, input))
  const unfit = unfitToJoin(joining, formats)
  if (unfit) throw new Failure('processing_failed', unfit)
  const second = context.inputs[1]!
  const { filename, size } = second
  return { option: joining.name, file: { path: await context.local(second), format: formats[1]!, filename, size } }
}

/** All files into one. */
export async function mergeAlong(context: RunContext<Params>): Promise<Outcome> {
  const { inputs, params } = context
  if (inputs.length < 2)
    throw new Failure('processing_failed', `Two or more files can be merged; the input has ${inputs.length}.`)
  const from: Ext[] = []
  for (const input of inputs) from.push(await formatOfInput(context, input))
  const settled = ways(context, 'merge', from)
  const { route } = settled
  const told: Told = { more: {}, instead: new Map() }
  const steps = inputs.length + 1
  const ready: InputFile[] = []
  for (const [index, input] of inputs.entries()) {
    const share = (percent: number) => context.progress((index * 100 + percent) / steps)
    const source = {
      path: await context.local(input),
      format: from[index]!,
      filename: input.filename,
      size: input.size,
    }
    const { before, hops } = route
    ready.push(...(await runHops(context, settled, before[index] ?? [], [source], share, told, false, hops[0])))
  }
  const share = (percent: number) => context.progress(((steps - 1) * 100 + percent) / steps)
  const made = await runHops(context, settled, route.hops, ready, share, told, true)
  const files = await Promise.all(
    made.map((result, index) => {
      const name = resultName('merged', result.format, params.filename, extOf)
      return context.keep(result, made.length > 1 ? numbered(name, index + 1) : name)
    }),
  )
  return { files, more: report([{ settled, told }]) }
}

/** The format is the content's; a claim that disagrees fails the task. */
async function formatOfInput({ params, identify }: RunContext<Params>, file: TaskFile): Promise<Ext> {
  if (file.size === 0) throw new Failure('processing_failed', `"${file.filename}" is empty.`)
  const known = extOf(file.format)
  const claim = params.input_format
  const claimed = claim === undefined ? null : extOf(claim)
  if (known && (claim === undefined || claimed === known)) return known
  // Among kinds that look alike (texts, raw pictures) the claim breaks the tie as a name would.
  const { format, refused } = await identify(file, claim === undefined ? file.filename : `x.${claim}`)
  if (refused) throw new Failure('processing_failed', `"${file.filename}" is not taken: ${refused}`)
  if (format && (claim === undefined || claimed === format)) return format
  const is = known ?? format
  if (!is)
    throw new Failure('processing_failed', `The format of "${file.filename}" is not known: its content fits none.`)
  const title = `${formatOf(is).title} (${is})`
  throw new Failure('processing_failed', `"${file.filename}" is ${title}, not ${claim} as input_format says.`)
}

function ways(context: RunContext<Params>, does: Doing, from: readonly Ext[]): Settled {
  const { params, catalog } = context
  const to = params.output_format === undefined ? from[0]! : extOf(params.output_format)
  if (!to) throw new Failure('processing_failed', `output_format "${params.output_format}" is not a known format.`)
  const options = params.options ?? {}
  const settled = settle(catalog, { does, from, to, engine: params.engine, options })
  if (!Array.isArray(settled)) return settled
  throw new Failure('processing_failed', settled.map(inWords).join(' '))
}

/** The input needs no name here; options and formats do. */
const inWords = ({ path, message }: Issue): string =>
  path === 'input' ? message.charAt(0).toUpperCase() + message.slice(1) : `${path}: ${message}`

async function runHops(
  context: RunContext<Params>,
  { route, values }: Settled,
  hops: readonly Hop[],
  start: readonly InputFile[],
  progress: (percent: number) => void,
  told: Told,
  together: boolean | Joined = false,
  after?: Hop,
): Promise<InputFile[]> {
  let files = [...start]
  for (const [step, hop] of hops.entries()) {
    // Only the first hop of a merge takes all files at once.
    const groups = together === true && step === 0 ? [files] : files.map((file) => [file])
    const options = optionsFor(route, hop, values)
    const following = hops[step + 1] ?? after
    // The second input goes to the hop that the option is for.
    const extra = typeof together === 'object' && options[together.option] === true ? [together.file] : []
    const next: InputFile[] = []
    for (const [index, group] of groups.entries()) {
      const order: Order = {
        does: hop.does,
        inputs: [...group, ...extra],
        to: hop.to,
        options,
        passing: following !== undefined && !following.capability.embeds,
        engine: hop.engine,
        run: hop.capability.run,
        progress: (percent) => progress(((step + (index + percent / 100) / groups.length) / hops.length) * 100),
        tell: (key: string, value: Json) => {
          told.more[key] = value
        },
      }
      const { made, engine } = await carriedOut(context, order)
      if (engine !== hop.engine) told.instead.set(hop, engine)
      // The engine's own name for it tells a later hop nothing.
      next.push(
        ...made.map((file) => ({ ...file, filename: resultName(group[0]!.filename, hop.to, undefined, extOf) })),
      )
    }
    files = next
  }
  return files
}

type Order = Parameters<RunContext['engine']>[0]

/** By the engine of the hop or, where that cannot read the file and nobody insists on it, by one that may be able to. */
async function carriedOut(
  context: RunContext<Params>,
  order: Order,
): Promise<{ made: readonly InputFile[]; engine: Engine }> {
  try {
    return { made: await context.engine(order), engine: order.engine }
  } catch (error) {
    if (!(error instanceof Failure) || error.errorCode !== 'processing_failed') throw error
    const rescue = context.params.engine === undefined ? rescueFor(context.catalog.engines, order) : null
    if (!rescue) throw error
    try {
      return { made: await context.engine({ ...order, ...rescue }), engine: rescue.engine }
    } catch (second) {
      // What is wrong with a file is best told by the one that knows its kind best.
      throw second instanceof Failure ? error : second
    }
  }
}

function rescueFor(engines: readonly Engine[], { does, inputs, to }: Order): Pick<Order, 'engine' | 'run'> | null {
  const [only, ...others] = inputs
  if (does !== 'convert' || !only || others.length > 0) return null
  for (const engine of engines) {
    const found = engine.rescues?.find((each) => each.from.includes(only.format) && each.to.includes(to))
    if (found) return { engine, run: found.run }
  }
  return null
}

/** What comes to light on the way. */
interface Told {
  /** For the result. */
  more: JsonObject
  /** Who did a hop in the place of its engine. */
  instead: Map<Hop, Engine>
}

interface Shown {
  settled: Settled
  told: Told
}

/** What `result` tells besides the files: of the first file, whose way and options stand for all of its kind. */
function report(shown: readonly Shown[]): JsonObject {
  const [first] = shown
  if (!first) return {}
  const { options, route } = first.settled
  return {
    options: { applied: options.applied, ignored: options.ignored.map((each) => ({ ...each })) },
    route: describeRoute(route, first.told.instead),
    ...Object.assign({}, ...shown.map(({ told }) => told.more)),
  }
}

const describeRoute = (route: Route, instead: Told['instead']): Json =>
  [...new Set([...route.before.flat(), ...route.hops])].map((hop) => ({
    engine: (instead.get(hop) ?? hop.engine).id,
    operation: hop.does,
    from: hop.from,
    to: hop.to,
  }))
