/** A resident for tests, run inside the box: says who it is, echoes, and misbehaves on request. */
import { randomUUID } from 'node:crypto'
import { readdirSync, writeSync } from 'node:fs'
import { serve } from '../../src/engines/resident/inside.ts'

interface Question {
  do: 'echo' | 'die' | 'hang' | 'babble' | 'lie' | 'steps' | 'flood' | 'see'
}

const id = randomUUID()
let served = 0

await serve(async (question, inputs, progress) => {
  const { do: what } = question as Question
  served += 1
  if (what === 'die') process.kill(process.pid, 'SIGKILL')
  if (what === 'hang') await new Promise(() => setInterval(() => {}, 1000))
  if (what === 'babble') writeSync(1, 'this is not a frame, and far too long to be the length of one')
  if (what === 'lie') writeSync(1, Buffer.from('\0\0\0\x02[]'))
  if (what === 'flood') writeSync(1, Buffer.from(`\0\0\0\x24${JSON.stringify({ answer: {}, size: 1e15 }).padEnd(36)}`))
  if (what === 'steps') for (const percent of [10, 50.4, 400]) progress(percent)
  const sizes = inputs.map((input) => input.length)
  const seen = what === 'see' ? readdirSync('/work') : []
  return { answer: { id, served, sizes, seen }, body: Buffer.concat(inputs) }
})
