/** After everything else: no planted secret is anywhere. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../support/until.ts'
import type { Field } from './field.ts'

export function secretsSuite({ server, steps, secrets, answers, listener }: Field): void {
  describe('secrets', () => {
    /** A key is also looked for as JSON and as base64 would have it. */
    const forms = (secret: string) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]
    const assertNone = (text: string, where: string) => {
      for (const secret of secrets)
        for (const form of forms(secret))
          assert.equal(text.includes(form), false, `${secret.slice(0, 24)}… is in ${where}`)
    }

    test('are planted: a payload that is no secret is found by the same search', async () => {
      assert.ok(secrets.size >= 8, [...secrets].join())
      const sent = await steps.create('import/url', { url: 'http://127.0.0.1:1/planted-in-the-open' })
      await steps.ended('tasks', sent.id)
      assert.ok((await server.inside.records()).includes('planted-in-the-open'))
    })

    test('are in no answer and no event', async () => {
      await server.call('GET', '/v1/process/tasks?per_page=200')
      await server.call('GET', '/v1/process/jobs?include=tasks&per_page=200')
      await until(() => listener.heard.length > 100, 'events were heard')
      assertNone(answers.join('\n'), 'an answer')
      assertNone(JSON.stringify(listener.heard), 'an event')
    })

    test('are not in the log', () => {
      assert.match(server.printed(), /insufficient_permission|invalid_credentials/, 'the log tells of these tasks')
      assertNone(server.printed(), 'the log')
    })

    test('are not in the database, and what was sealed is wiped when its task has ended', async () => {
      assertNone(await server.inside.records(), 'the database')
      const sealed = "SELECT id FROM tasks WHERE sealed IS NOT NULL AND status IN ('completed', 'failed')"
      assert.deepEqual(await server.inside.rows(sealed), [])
    })
  })
}
