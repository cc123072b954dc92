/** reforge options: the settings of a pair of formats, to be given by --option. */
import type { OptionDescriptor, Processing } from '@reforge/sdk'
import { advise } from '../advise.ts'
import type { Command } from '../command.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { VERBS } from '../flags.ts'
import { createLook } from '../look.ts'
import { didYouMean } from '../nearest.ts'
import { formatOf } from '../targets.ts'
import { table } from '../words.ts'

type Option = OptionDescriptor['options'][number]

/** What may stand after the equals sign. */
function valuesOf({ enum_values, data_type, min, max, units }: Option): string {
  if (enum_values?.length) return enum_values.map(({ value }) => value).join(' | ')
  const unit = units ? ` ${units}` : ''
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`
  if (min !== undefined) return `${min} or more${unit}`
  return (data_type === 'boolean' ? 'true | false' : data_type) + unit
}

function verbOf(text = 'convert'): Processing {
  const verb = VERBS.find((each) => each === text)
  if (!verb)
    throw new UsageError(`"${text}" has no settings.${didYouMean(text, VERBS)} There are: ${VERBS.join(', ')}.`)
  return verb
}

export const options: Command = {
  summary: 'List the settings of a conversion.',
  about: ['Give them with --option. One format is enough where the format stays, as with --for compress.'],
  takes: [
    { name: 'FROM', word: 'format', completes: 'format' },
    { name: 'TO', word: 'format', optional: true, completes: 'format' },
  ],
  flags: ['for', 'engine'],
  examples: [
    ['reforge options png jpg', 'from png to jpg'],
    ['reforge options mp4 --for trim', 'of trimming'],
  ],
  async run({ names, reforge, out, values }) {
    const [from, to] = names.map(formatOf)
    const verb = verbOf(values.for)
    if (!to && verb === 'convert')
      throw new UsageError(`Say which format it becomes. For example: reforge options ${from} jpg`)
    const client = await reforge()
    const { options: list, ...pair } = await client.options[verb]({
      ...(from && { input_format: from }),
      ...(to && { output_format: to }),
      ...(values.engine && { engine: values.engine }),
    }).catch(async (error) => {
      throw await advise(client, error, { to, from })
    })
    const look = createLook(out)
    if (values.json) out.write(`${JSON.stringify({ ...pair, options: list })}\n`)
    else if (out.isTTY) {
      const rows = table(list.map((option) => [clean(option.name), clean(valuesOf(option))]))
      list.forEach((option, index) => {
        const row = rows[index] ?? ''
        const standard = option.default_value ? look.faint(`  (${clean(option.default_value)})`) : ''
        out.write(look.accent(row.slice(0, option.name.length)) + row.slice(option.name.length) + standard)
        out.write(`\n  ${look.faint(clean(option.hint))}\n`)
      })
    } else
      for (const option of list)
        out.write(`${[option.name, valuesOf(option), option.default_value, option.hint].map(clean).join('\t')}\n`)
    return EXIT.ok
  },
}
