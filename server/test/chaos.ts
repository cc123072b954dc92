/** `npm run chaos [-- rounds]`: kills a busy server that often, and ends with 1 when anything it promised was not kept. */
import { storm } from './chaos/storm.ts'

const rounds = Number(process.argv[2] ?? 25)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('The argument must be a number of rounds, such as 25.')
const { wrong, ...figures } = await storm(rounds, console.log)
console.table(figures)
for (const what of wrong.slice(0, 50)) console.error(what)
console.log(wrong.length === 0 ? 'Nothing was lost, nothing was done twice.' : `${wrong.length} things are wrong.`)
process.exitCode = wrong.length === 0 ? 0 : 1
