/**
 * Letters as pages and text: who wrote to whom, what, with its pictures in place and a list of what came along. What is on
 * the web stays there, for fetching it would tell the sender. The work is done in a box: mail/worker.ts.
 */
import { join } from 'node:path'
import type { Engine, Work } from '../catalog/engine.ts'
import { options } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import { nodeResident } from './resident/node.ts'

const MB = 2 ** 20
const MOST_BYTES = 64 * MB

const worker = nodeResident({
  id: 'mail',
  files: ['mail/worker', 'mail/letter', 'mail/clean', 'kit/page-pieces', 'mail/parts', 'resident/inside'],
  recycleAfter: 200,
  timeout: 30_000,
  limits: { memory: 1536 * MB, addressSpace: null, processes: 32, file: 256 * MB, tmp: 16 * MB },
})

const none = options({})

async function convert({ input, to, dir, ask, tell }: Work<typeof none>): Promise<readonly string[]> {
  if (input.size > MOST_BYTES)
    throw new Failure('processing_failed', `"${input.filename}" is larger than ${MOST_BYTES / MB} MB.`)
  const name = `out.${to}`
  const answer = await ask(worker, { to }, input.path, join(dir, name))
  if (answer.problem !== undefined) {
    const words = answer.problem === 'too-much' ? 'would become too large' : 'could not be read'
    throw new Failure('processing_failed', `"${input.filename}" ${words}.`, String(answer.detail ?? ''))
  }
  if (Number(answer.attachments) > 0) tell('attachments_left_out', answer.attachments ?? 0)
  if (Number(answer.remote) > 0) tell('remote_pictures_left_out', answer.remote ?? 0)
  return [name]
}

export const mail: Engine = {
  id: 'mail',
  title: 'Mail',
  tools: [],
  can: [
    { does: 'convert', from: ['eml'], to: ['html'], cost: 1, options: none, run: convert },
    { does: 'convert', from: ['eml'], to: ['txt'], cost: 1, terminal: true, options: none, run: convert },
  ],
}
