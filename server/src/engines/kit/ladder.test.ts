import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { climb } from './ladder.ts'

test('the best step that fits is found, no step is tried twice, and few are tried', async () => {
  const ladders = fc
    .integer({ min: 1, max: 200 })
    .chain((steps) => fc.tuple(fc.constant(steps), fc.nat({ max: steps })))
  await fc.assert(
    fc.asyncProperty(ladders, async ([steps, first]) => {
      const tried: number[] = []
      const fits = async (step: number): Promise<boolean> => tried.push(step) > 0 && step >= first
      assert.equal(await climb(steps, fits), first === steps ? null : first)
      assert.equal(new Set(tried).size, tried.length)
      assert.ok(tried.length <= 2 + Math.ceil(Math.log2(steps + 1)))
    }),
  )
})
