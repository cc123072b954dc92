import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { JsonObject } from '../../core/task.ts'
import type { Job } from './job.ts'
import { convertPicture } from './run.ts'

/** How a PNG would be written. */
async function encoding(passing: boolean, options: Job['options']): Promise<unknown> {
  const asked: JsonObject[] = []
  const input = { path: '/nowhere', format: 'webp', filename: 'a.webp', size: 1 } as const
  const answer = { width: 1, height: 1, frames: 1 }
  const ask: Job['ask'] = async (_kind, question) => {
    asked.push(question)
    return answer
  }
  const job: Partial<Job> = { inputs: [input], input, to: 'png', dir: '/nowhere', options, passing, ask }
  await convertPicture(job as Job)
  assert.equal(asked.length, 1)
  return asked.map(({ encode }) => encode)[0]
}

it('what another hop reads at once is not packed, unless few colours were asked for', async () => {
  const plain = { as: 'png', with: { compressionLevel: 0, adaptiveFiltering: false, palette: false } }
  assert.deepEqual(await encoding(true, {}), plain)
  assert.notDeepEqual(await encoding(false, {}), plain)
  const few = { png_compression_level: 'lossy' } as const
  assert.deepEqual(await encoding(true, few), await encoding(false, few))
})
