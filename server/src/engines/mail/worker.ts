/**
 * The program in the box: a letter becomes a page or plain text. It is started by path (see mail.ts), never imported by the
 * server, and uses nothing but Node's own modules and the files bound beside it.
 */
import { type Reply, serve } from '../resident/inside.ts'
import { letterOf, TooMuch } from './letter.ts'

export interface MailPlan {
  to: 'html' | 'txt'
}

await serve(async (question, [input]): Promise<Reply> => {
  const { to } = question as MailPlan
  try {
    const { text, attachments, remote } = letterOf((input ?? Buffer.alloc(0)).toString('latin1'), to)
    return { answer: { attachments, remote }, body: Buffer.from(text) }
  } catch (error) {
    return {
      answer: { problem: error instanceof TooMuch ? 'too-much' : 'failed', detail: String(error).slice(0, 500) },
    }
  }
})
