import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Engine, ResidentKind } from '../../catalog/engine.ts'
import { probe } from './probe.ts'

const browser: ResidentKind = {
  id: 'a',
  recycleAfter: 1,
  timeout: 1,
  spec: { command: ['/usr/bin/env'], profile: 'browser' },
}
const engine = (more: Partial<Engine>): Engine => ({ id: 'a', title: 'A', tools: [], can: [], ...more })

describe('an engine', () => {
  it('is ready when its programs and packages are there', () => {
    const tools = [{ program: process.execPath }, { program: 'sharp' }]
    assert.equal(probe([engine({ tools })], ['strict'])[0]?.ready, true)
  })

  it('tells what is missing', () => {
    const tools = [{ program: '/usr/bin/no-such-program', debian: 'x' }, { program: 'no-such-package' }]
    const [found] = probe([engine({ tools })], ['strict'])
    assert.equal(found?.ready, false)
    assert.deepEqual(found?.missing, tools)
  })

  it('is not ready where no box can hold it', () => {
    const [found] = probe([engine({ residents: [browser] })], ['strict'])
    assert.equal(found?.ready, false)
    assert.equal(probe([engine({ residents: [browser] })], ['strict', 'browser'])[0]?.ready, true)
  })
})
