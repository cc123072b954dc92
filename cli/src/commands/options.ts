/** reforge options: the settings of a pair of formats, to be given by --option. */
import type { OptionDescriptor } from '@reforge/sdk'
import type { Command } from '../command.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { createLook } from '../look.ts'
import { table } from '../words.ts'

type Option = OptionDescriptor['options'][number]

/** What may stand after the equals sign. */
export function valuesOf({ enum_values, data_type, min, max, units }: Option): string {
  if (enum_values?.length) return enum_values.map(({ value }) => value).join(' | ')
  const unit = units ? ` ${units}` : ''
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`
  if (min !== undefined) return `${min} or more${unit}`
  return (data_type === 'boolean' ? 'true | false' : data_type) + unit
}

export const options: Command = {
  usage: 'reforge options FROM TO',
  summary: 'List the settings of a conversion.',
  takes: [],
  async run({ names, reforge, out, values }) {
    const [from, to] = names
    if (!from || !to) throw new UsageError('Give two formats. For example: reforge options png jpg')
    const { options: list, ...pair } = await (await reforge()).options.convert({
      input_format: from,
      output_format: to,
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
