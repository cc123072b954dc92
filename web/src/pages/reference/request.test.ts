import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../openapi/document.ts'
import { exampleOf } from '../../openapi/example.ts'
import { curlOf, missingOf, pathOf } from './request.ts'

const api = readDocument({
  info: { title: 'T', version: '1' },
  paths: {
    '/v1/things/{id}': {
      post: {
        operationId: 'postThing',
        tags: ['Things'],
        security: [{ key: ['things:write'] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'deep', in: 'query', required: false, schema: { type: 'boolean' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['kind', 'inner'],
                properties: {
                  kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
                  inner: { $ref: '#/components/schemas/Inner' },
                  other: { type: 'string' },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: { Inner: { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 3 } } } },
  },
})
const [call] = api.endpoints
assert.ok(call)

test('what must be given is named until it is, and everything is escaped', () => {
  assert.deepEqual(missingOf(call, { values: {}, body: undefined }), ['id'])
  const filled = { values: { id: 'a/b?', deep: true }, body: undefined }
  assert.deepEqual(missingOf(call, filled), [])
  assert.equal(pathOf(call, filled), '/v1/things/a%2Fb%3F?deep=true')
})

test('an example has what is required, following references', () => {
  assert.deepEqual(exampleOf(call.body?.schema ?? {}, api), { kind: 'a', inner: { n: 3 } })
})

test('the curl command brings no quotes of its own into the shell', () => {
  const text = curlOf(call, { values: { id: "it's" }, body: { kind: "'; rm -rf /" } }, 'https://localhost')
  assert.equal(
    text,
    [
      `curl -sS -X POST 'https://localhost/v1/things/it'\\''s'`,
      '-H "Authorization: Bearer $REFORGE_API_KEY"',
      `-H 'Content-Type: application/json'`,
      `-d '{\n  "kind": "'\\''; rm -rf /"\n}'`,
    ].join(' \\\n  '),
  )
})
