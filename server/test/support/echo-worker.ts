/** A resident for tests, run inside the box: says who it is, echoes, and misbehaves on request. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { serve } from '../../src/engines/resident/inside.ts'

interface Question {
  do: 'echo' | 'die' | 'hang' | 'babble' | 'lie' | 'steps' | 'flood' | 'see' | 'spoil'
}

const id = randomUUID()

/** What came of an attempt, in the system's word. */
function refusal(deed: () => void): string | null {
  try {
    deed()
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

const SPOILING = [
  () => writeFileSync('/shelf/0', 'spoilt'),
  () => unlinkSync('/shelf/0'),
  () => writeFileSync('/shelf/new', 'left for the next one'),
]

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
  const seen = what === 'see' ? ['/work', '/shelf'].filter(existsSync).flatMap((folder) => readdirSync(folder)) : []
  const refused = what === 'spoil' ? SPOILING.map(refusal) : []
  return { answer: { id, served, sizes, seen, refused }, body: Buffer.concat(inputs) }
})
