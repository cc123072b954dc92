import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { admits } from './accept.ts'

describe('the Accept header', () => {
  for (const header of [
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'text/html, application/json;q=0.1',
    'Application/JSON; charset=utf-8',
  ])
    test(`"${header}" admits JSON`, () => assert.equal(admits(header, 'application/json'), true))
  for (const header of [
    'text/html',
    'application/xml',
    'image/*',
    'application/json;q=0',
    '*/*, application/json;q=0',
    'nonsense',
  ])
    test(`"${header}" does not`, () => assert.equal(admits(header, 'application/json'), false))
})
