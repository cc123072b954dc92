import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aJob, aTask, broken, createWorld, done } from '../../test/support/world.ts'
import type { Happening } from './machine.ts'
import { hasEnded } from './task.ts'

describe('the machine, whatever happens', () => {
  const RANK = { created: 0, processing: 1, completed: 2, canceled: 2, failed: 2, deleted: 3 }
  const shape = fc.array(
    fc.record({
      job: fc.constantFrom(null, 'j0', 'j1'),
      waits: fc.boolean(),
      inputs: fc.array(fc.nat(20), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  const steps = fc.array(
    fc.record({
      at: fc.nat(20),
      what: fc.constantFrom(
        'taken',
        'started',
        'arrived',
        'moved',
        'progressed',
        'completed',
        'failed',
        'canceled',
        'deleted',
        'erase',
      ),
    }),
    { maxLength: 40 },
  )
  const happening = (what: string): Happening => {
    if (what === 'completed') return done
    if (what === 'failed') return broken
    if (what === 'moved') return { type: 'moved', lane: 'heavy', needs: null }
    if (what === 'progressed') return { type: 'progressed', percent: 50 }
    return { type: what } as Happening
  }
  function build(plan: { job: string | null; waits: boolean; inputs: number[] }[]) {
    const world = createWorld()
    const list = plan.map((p, index) =>
      aTask(`t${index}`, {
        job: p.job,
        waits: p.waits && p.inputs.every((n) => n >= index),
        status: p.waits && p.inputs.every((n) => n >= index) ? 'processing' : 'created',
        dependsOn: [...new Set(p.inputs.filter((n) => n < index).map((n) => `t${n}`))],
      }),
    )
    // Inputs may lie in another job, so jobs are created task by task in order, as earlier tasks' ids.
    for (const id of [null, 'j0', 'j1']) {
      const own = list.filter((task) => task.job === id)
      if (own.length) world.create(id ? aJob(id) : null, own)
    }
    return world
  }

  test('statuses only move forward, late and double happenings change nothing, events are told once', () => {
    fc.assert(
      fc.property(shape, steps, (plan, course) => {
        const world = build(plan)
        for (const step of course) {
          const before = new Map(world.tasks)
          const jobsBefore = new Map(world.jobs)
          const id = `t${step.at % plan.length}`
          if (step.what === 'erase') world.erase(`j${step.at % 2}`)
          else if (step.what === 'taken') world.take(id)
          else {
            const change = world.happen(id, happening(step.what))
            const was = before.get(id)
            if (was && hasEnded(was.status) && step.what !== 'deleted') assert.equal(change, null)
            assert.equal(world.happen(id, happening(step.what)), null)
          }
          for (const [key, task] of world.tasks) assert.ok(RANK[task.status] >= RANK[before.get(key)!.status])
          for (const [key, job] of world.jobs) {
            const was = jobsBefore.get(key)!
            assert.ok(RANK[job.status] >= RANK[was.status])
            if (hasEnded(was.status)) assert.equal(job.status, was.status)
          }
        }
        const once = world.events.filter((event) => event.type !== 'task_min_update')
        assert.equal(new Set(once.map((event) => `${event.type} ${event.id}`)).size, once.length)
      }),
      { numRuns: 500 },
    )
  })

  test("a job's status is the summary of its tasks", () => {
    fc.assert(
      fc.property(shape, steps, (plan, course) => {
        const world = build(plan)
        const bad = new Set<string>()
        for (const step of course) {
          const id = `t${step.at % plan.length}`
          const job = world.tasks.get(id)?.job
          if (job && step.what === 'deleted' && !hasEnded(world.jobs.get(job)!.status)) bad.add(job)
          if (step.what === 'taken') world.take(id)
          else if (step.what !== 'erase') world.happen(id, happening(step.what))
          for (const record of world.jobs.values()) {
            const own = [...world.tasks.values()].filter((task) => task.job === record.id)
            if (own.some((task) => task.status === 'failed' || task.status === 'canceled')) bad.add(record.id)
            if (bad.has(record.id)) assert.equal(record.status, 'failed')
            else if (own.length && own.every((task) => task.status === 'completed'))
              assert.equal(record.status, 'completed')
            else if (own.some((task) => task.startedAt !== null)) assert.equal(record.status, 'processing')
            if (record.status === 'failed') assert.ok(record.result?.errorCode && record.result.msg)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('every task ends when workers take what is on offer and callers finish their uploads', () => {
    fc.assert(
      fc.property(shape, steps, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), (plan, course, good) => {
        const world = build(plan)
        for (const step of course)
          if (step.what === 'taken') world.take(`t${step.at % plan.length}`)
          else if (step.what !== 'completed' && step.what !== 'erase')
            world.happen(`t${step.at % plan.length}`, happening(step.what))
        for (let round = 0; round < plan.length; round++)
          for (const [index, task] of [...world.tasks.values()].entries()) {
            if (hasEnded(world.tasks.get(task.id)!.status)) continue
            if (!task.waits && !world.offered.has(task.id)) continue
            world.happen(task.id, good[index % 9] ? done : broken)
          }
        for (const task of world.tasks.values()) {
          assert.ok(hasEnded(task.status), `${task.id} is ${task.status}`)
          if (task.status === 'failed') assert.ok(task.result?.errorCode && task.result.msg)
        }
        for (const job of world.jobs.values()) assert.ok(hasEnded(job.status))
      }),
      { numRuns: 500 },
    )
  })
})
