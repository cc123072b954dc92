/** The report for a person: a line with a bar for each file at work, and above them what became of the others. */
import { basename } from 'node:path'
import type { Progress } from '@reforge/sdk'
import { createBoard } from './board.ts'
import { clean, sentence } from './exit.ts'
import { bar, createLook, pulse } from './look.ts'
import type { Done, Report, Telling } from './report.ts'
import { bytes, change, fit, seconds } from './words.ts'

interface Working {
  since: number
  stage: Progress['stage'] | 'saving'
  percent: number | undefined
  sent: number
}

const LONGEST_NAME = 36
const BAR = 24
/** How often a line moves of which nothing is heard. */
const BEAT = 100

export function createTerminalReport(
  out: NodeJS.WriteStream,
  err: NodeJS.WriteStream,
  { word, inputs }: Telling,
): Report {
  const look = createLook(out)
  const board = createBoard(out)
  const working = new Map<string, Working>()
  const start = Date.now()
  const total = { files: 0, failed: 0, before: 0, after: 0 }

  const stages = { upload: 'uploading', waiting: 'waiting for a free worker', working: word, saving: 'saving' }
  const called = (path: string) => (path === '-' ? 'stdin' : clean(basename(path)))
  const width = Math.min(LONGEST_NAME, Math.max(...inputs.map((input) => [...called(input)].length)))
  const nameOf = (input: string) => fit(called(input), width)

  function line([input, { stage, percent, sent, since }]: [string, Working]): string {
    const elapsed = Date.now() - since
    const known = percent === undefined ? '    ' : `${percent}%`.padStart(4)
    const moving = percent === undefined && stage !== 'waiting'
    const drawn = moving ? pulse(Math.floor(elapsed / BEAT), BAR, look) : bar(percent, BAR, look)
    const speed = stage === 'upload' && elapsed > 500 ? `  ${bytes((sent / elapsed) * 1000)}/s` : ''
    const time = stage === 'working' && elapsed > 2000 ? `  ${seconds(elapsed)}` : ''
    return `  ${nameOf(input)}  ${drawn} ${known}  ${look.faint(stages[stage] + speed + time)}`
  }

  /** Several results of one file are one line: their number and what they weigh together. */
  function doneLine({ input, before, outputs }: Done): string {
    const after = outputs.reduce((sum, { size }) => sum + size, 0)
    const [first] = outputs
    const only = first?.path === '-' ? 'standard output' : clean(basename(first?.path ?? ''))
    const result = outputs.length === 1 ? only : `${outputs.length} files`
    const sizes = `${bytes(before).padStart(8)} → ${bytes(after).padEnd(8)}`
    const shrunk = change(before, after)
    const colour = after < before ? look.good : look.faint
    return `${look.good('✓')} ${nameOf(input)}  ${sizes} ${colour(shrunk.padStart(6))}  ${look.faint(`→ ${result}`)}`
  }

  const redraw = () => board.draw([...working].map(line))
  const beat = setInterval(redraw, BEAT)

  function summary(): string {
    const all = total.files + total.failed
    const sizes = total.files
      ? `   ${bytes(total.before)} → ${bytes(total.after)}  ${change(total.before, total.after)}`
      : ''
    const failed = total.failed ? `, ${look.bad(`${total.failed} failed`)}` : ''
    return `${look.strong(`${total.files} of ${all} done`)}${failed}${sizes}   ${seconds(Date.now() - start)}`
  }

  return {
    progress(input, { stage, percent, ...more }) {
      const sent = 'sent' in more ? (more.sent ?? 0) : 0
      working.set(input, { since: working.get(input)?.since ?? Date.now(), stage, percent, sent })
      redraw()
    },
    done(done) {
      working.delete(done.input)
      total.files++
      total.before += done.before
      total.after += done.outputs.reduce((sum, { size }) => sum + size, 0)
      board.above(out, `${doneLine(done)}\n`)
      redraw()
    },
    failed(input, error) {
      working.delete(input)
      total.failed++
      board.above(err, `${createLook(err).bad('✗')} ${nameOf(input)}  ${sentence(error)}\n`)
      redraw()
    },
    end() {
      clearInterval(beat)
      board.close()
      if (total.files + total.failed > 1) out.write(`\n${summary()}\n`)
    },
  }
}
