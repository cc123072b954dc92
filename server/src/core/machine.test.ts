import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { begin, type Change, erase, type Happening, type Slice, taken, transition } from './machine.ts'
import { type EventType, hasEnded, type Job, type Task } from './task.ts'

const aTask = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  user: 'u',
  key: null,
  job: null,
  name: id,
  operation: 'convert',
  lane: 'light',
  needs: null,
  waits: false,
  status: more.waits ? 'processing' : 'created',
  payload: {},
  sealed: 'sealed',
  dependsOn: [],
  waitingFor: 0,
  priority: 0,
  attempts: 0,
  takenAt: null,
  bytesIn: 0,
  source: null,
  percent: null,
  result: null,
  createdAt: 0,
  startedAt: null,
  endedAt: null,
  updatedAt: 0,
  expiresAt: 0,
  keptUntil: 0,
  ...more,
})
const aJob = (id: string): Job => ({
  id,
  user: 'u',
  tag: null,
  webhookUrl: null,
  status: 'created',
  open: 0,
  result: null,
  createdAt: 0,
  startedAt: null,
  endedAt: null,
  updatedAt: 0,
  expiresAt: 0,
})

/** The smallest world a change can be applied to: records in maps, events in a list. */
function createWorld() {
  const tasks = new Map<string, Task>()
  const jobs = new Map<string, Job>()
  const events: { type: EventType; id: string; stream: string }[] = []
  const offered = new Set<string>()
  let now = 0
  const apply = (change: Change | null): Change | null => {
    if (!change) return null
    for (const task of change.tasks) tasks.set(task.id, task)
    for (const job of change.jobs) jobs.set(job.id, job)
    for (const task of change.removedTasks) tasks.delete(task.id)
    for (const job of change.removedJobs) jobs.delete(job.id)
    for (const event of change.events)
      if ('task' in event) events.push({ type: event.type, id: event.task.id, stream: event.task.job ?? event.task.id })
      else events.push({ type: event.type, id: event.job.id, stream: event.job.id })
    for (const task of change.withdraw) offered.delete(task.id)
    for (const task of change.offer) offered.add(task.id)
    return change
  }
  const dependentsOf = (roots: readonly Task[]): Task[] => {
    const found = new Map<string, Task>()
    const seen = new Set(roots.map((task) => task.id))
    for (let grew = true; grew; ) {
      grew = false
      for (const task of tasks.values()) {
        if (seen.has(task.id) || !task.dependsOn.some((id) => seen.has(id))) continue
        seen.add(task.id)
        found.set(task.id, task)
        grew = true
      }
    }
    return [...found.values()]
  }
  const sliceOf = (subjects: readonly Task[]): Slice => {
    const dependents = dependentsOf(subjects)
    const ids = new Set([...subjects, ...dependents].map((task) => task.job).filter((id) => id !== null))
    return { subjects, dependents, jobs: [...ids].map((id) => jobs.get(id)!).filter(Boolean) }
  }
  return {
    tasks,
    jobs,
    events,
    offered,
    create: (job: Job | null, list: Task[]) => apply(begin(job, list, tasks)),
    happen: (id: string, happening: Happening) => {
      const task = tasks.get(id)
      return task ? apply(transition(sliceOf([task]), happening, ++now)) : null
    },
    take: (id: string) => {
      const task = tasks.get(id)
      if (task && !task.waits && !hasEnded(task.status)) tasks.set(id, taken(task, { bytes: 7, format: 'png' }, ++now))
    },
    erase: (id: string) => {
      const job = jobs.get(id)
      if (!job) return null
      return apply(erase(job, sliceOf([...tasks.values()].filter((task) => task.job === id)), ++now))
    },
    types: (stream: string) => events.filter((e) => e.stream === stream).map((e) => e.type),
  }
}

/** import → convert → export in one job. */
function chain() {
  const world = createWorld()
  world.create(aJob('j'), [
    aTask('i', { job: 'j', lane: 'io' }),
    aTask('c', { job: 'j', dependsOn: ['i'] }),
    aTask('e', { job: 'j', lane: 'io', dependsOn: ['c'] }),
  ])
  return world
}
const done: Happening = { type: 'completed', result: { files: [] } }
const broken: Happening = { type: 'failed', errorCode: 'engine_timeout', msg: 'It took too long.' }

describe('the machine', () => {
  test('a chain runs from the first offer to job_completed, tasks told before the job', () => {
    const world = chain()
    assert.deepEqual([...world.offered], ['i'])
    for (const id of ['i', 'c', 'e']) {
      assert.ok(world.offered.has(id), `${id} is on offer`)
      world.happen(id, { type: 'started' })
      world.happen(id, done)
    }
    assert.equal(world.jobs.get('j')?.status, 'completed')
    assert.deepEqual(world.types('j'), [
      'job_created',
      'task_created',
      'task_created',
      'task_created',
      'job_started',
      'task_started',
      'task_completed',
      'task_started',
      'task_completed',
      'task_started',
      'task_completed',
      'job_completed',
    ])
  })

  test('a failed task fails its dependents and its job, saying whose fault it was', () => {
    const world = chain()
    world.happen('i', { type: 'started' })
    const change = world.happen('i', broken)
    assert.deepEqual(change?.withdraw, [], 'the worker that reports it gives its claim back itself')
    assert.equal(world.tasks.get('i')?.result?.errorCode, 'engine_timeout')
    assert.deepEqual(world.tasks.get('c')?.result, {
      errorCode: 'processing_failed',
      msg: 'The input task "i" failed: It took too long.',
    })
    assert.match(world.tasks.get('e')?.result?.msg ?? '', /"c" did not complete, because "i" failed/)
    assert.equal(world.jobs.get('j')?.result?.errorCode, 'task_failed')
    assert.deepEqual(world.types('j').slice(-4), ['task_failed', 'task_failed', 'task_failed', 'job_failed'])
  })

  test('cancel stops the task and fails what hangs on it; canceled again changes nothing', () => {
    const world = chain()
    const change = world.happen('i', { type: 'canceled' })
    assert.deepEqual(
      change?.withdraw.map((task) => task.id),
      ['i'],
    )
    assert.equal(world.tasks.get('i')?.status, 'canceled')
    assert.equal(world.tasks.get('e')?.status, 'failed')
    assert.equal(world.jobs.get('j')?.result?.errorCode, 'task_canceled')
    assert.equal(world.happen('i', { type: 'canceled' }), null)
  })

  test('deleting a task fails dependents with user_deleted_task however far down, and the job with task_deleted', () => {
    const world = chain()
    world.happen('i', { type: 'deleted' })
    assert.equal(world.tasks.has('i'), false)
    for (const id of ['c', 'e']) assert.equal(world.tasks.get(id)?.result?.errorCode, 'user_deleted_task')
    assert.equal(world.jobs.get('j')?.result?.errorCode, 'task_deleted')
  })

  test('deleting a task of a finished job leaves the job as it is', () => {
    const world = chain()
    for (const id of ['i', 'c', 'e']) world.happen(id, done)
    world.happen('c', { type: 'deleted' })
    assert.equal(world.jobs.get('j')?.status, 'completed')
    assert.equal(world.tasks.get('e')?.status, 'completed')
  })

  test('a deletion does not reach past a dependent that has completed', () => {
    const world = chain()
    world.happen('i', done)
    world.happen('c', done)
    world.happen('i', { type: 'deleted' })
    assert.equal(world.tasks.get('e')?.status, 'created')
    assert.equal(world.jobs.get('j')?.result?.errorCode, 'task_deleted')
  })

  test('siblings of a failed task go on while the job has failed', () => {
    const world = createWorld()
    world.create(aJob('j'), [aTask('a', { job: 'j' }), aTask('b', { job: 'j' })])
    world.happen('a', broken)
    assert.equal(world.jobs.get('j')?.status, 'failed')
    world.happen('b', { type: 'started' })
    world.happen('b', done)
    assert.equal(world.tasks.get('b')?.status, 'completed')
    assert.equal(world.jobs.get('j')?.status, 'failed')
    assert.deepEqual(world.types('j').slice(-3), ['job_failed', 'task_started', 'task_completed'])
  })

  test('a job fails with the root cause when it lies outside the job', () => {
    const world = createWorld()
    world.create(null, [aTask('x')])
    world.create(aJob('j'), [aTask('a', { job: 'j', dependsOn: ['x'] }), aTask('b', { job: 'j', dependsOn: ['a'] })])
    world.happen('x', { type: 'deleted' })
    assert.equal(world.jobs.get('j')?.result?.errorCode, 'task_deleted')
    assert.equal(world.tasks.get('b')?.result?.errorCode, 'user_deleted_task')
  })

  test('an upload is processing from birth and starts its job when bytes arrive', () => {
    const world = createWorld()
    world.create(aJob('j'), [aTask('u', { job: 'j', waits: true })])
    assert.equal(world.jobs.get('j')?.status, 'created')
    assert.equal(world.offered.size, 0)
    world.happen('u', { type: 'arrived' })
    assert.equal(world.jobs.get('j')?.status, 'processing')
    assert.equal(world.happen('u', { type: 'arrived' }), null)
    world.happen('u', done)
    assert.equal(world.jobs.get('j')?.status, 'completed')
  })

  test('a task that is taken again after a crash is told once and counted twice', () => {
    const world = chain()
    world.take('i')
    world.happen('i', { type: 'started' })
    world.take('i')
    assert.equal(world.happen('i', { type: 'started' }), null)
    assert.equal(world.tasks.get('i')?.attempts, 2)
    assert.equal(world.types('j').filter((type) => type === 'task_started').length, 1)
  })

  test('a task that is over before it was told as begun is told as both, and began when it was taken', () => {
    for (const end of [done, broken]) {
      const world = chain()
      world.take('i')
      const { takenAt, status } = world.tasks.get('i')!
      assert.equal(status, 'created')
      world.happen('i', end)
      const told = world.types('j').filter((type) => !type.endsWith('_created'))
      assert.deepEqual(told.slice(0, 3), ['job_started', 'task_started', `task_${end.type}`])
      const { startedAt, endedAt, attempts, bytesIn, source } = world.tasks.get('i')!
      assert.deepEqual(
        { startedAt, attempts, bytesIn, source },
        { startedAt: takenAt, attempts: 1, bytesIn: 7, source: 'png' },
      )
      assert.equal(world.jobs.get('j')?.startedAt, takenAt)
      assert.ok(endedAt! > startedAt!)
    }
  })

  test('how far a task has come tells as well that it has begun', () => {
    const world = chain()
    assert.equal(world.happen('i', { type: 'progressed', percent: 5 }), null)
    world.take('i')
    world.happen('i', { type: 'progressed', percent: 5 })
    assert.deepEqual(world.types('j').slice(-2), ['task_started', 'task_min_update'])
    assert.equal(world.tasks.get('i')?.percent, 5)
    assert.equal(world.happen('i', { type: 'started' }), null)
  })

  test('nobody began a task that failed before anybody took it, or whose worker is gone', () => {
    const world = chain()
    world.take('i')
    world.happen('i', { ...broken, lost: true })
    assert.equal(world.tasks.get('i')?.startedAt, null)
    assert.ok(!world.types('j').includes('task_started'))
  })

  test('an attempt that a stopping server gave back does not count', () => {
    const world = chain()
    for (const told of [false, true]) {
      world.take('i')
      if (told) world.happen('i', { type: 'started' })
      world.happen('i', { type: 'released' })
      const { attempts, takenAt, status } = world.tasks.get('i')!
      assert.deepEqual(
        { attempts, takenAt, status },
        { attempts: 0, takenAt: null, status: told ? 'processing' : 'created' },
      )
      assert.equal(world.happen('i', { type: 'released' }), null)
    }
  })

  test('a task that is ready moves to another lane, once and in silence', () => {
    const world = chain()
    const told = world.types('j').length
    const change = world.happen('i', { type: 'moved', lane: 'heavy', needs: null })
    assert.deepEqual(
      change?.withdraw.map(({ lane }) => lane),
      ['io'],
    )
    assert.deepEqual(
      change?.offer.map(({ id, lane, status }) => [id, lane, status]),
      [['i', 'heavy', 'created']],
    )
    assert.equal(world.types('j').length, told)
    assert.equal(world.happen('i', { type: 'moved', lane: 'heavy', needs: null }), null)
    assert.equal(world.happen('e', { type: 'moved', lane: 'heavy', needs: null }), null, 'it waits for its input')
  })

  test('what is completed without having been reported as begun begins and ends at once', () => {
    const world = chain()
    world.happen('i', done)
    assert.equal(world.jobs.get('j')?.status, 'processing')
    assert.deepEqual(world.types('j').slice(-3), ['job_started', 'task_started', 'task_completed'])
    assert.equal(world.tasks.get('i')?.startedAt, world.tasks.get('i')?.endedAt)
  })

  test('percent only grows, only while processing', () => {
    const world = chain()
    assert.equal(world.happen('i', { type: 'progressed', percent: 5 }), null)
    world.happen('i', { type: 'started' })
    world.happen('i', { type: 'progressed', percent: 40.7 })
    assert.equal(world.tasks.get('i')?.percent, 40)
    assert.equal(world.happen('i', { type: 'progressed', percent: 40 }), null)
  })

  test('deleting a job deletes all its tasks and fails what others took from it', () => {
    const world = chain()
    world.create(aJob('k'), [aTask('z', { job: 'k', dependsOn: ['c'] })])
    const change = world.erase('j')
    assert.deepEqual(
      change?.removedTasks.map((task) => task.id),
      ['i', 'c', 'e'],
    )
    assert.equal(world.jobs.has('j'), false)
    assert.equal(world.tasks.get('z')?.result?.errorCode, 'user_deleted_task')
    assert.equal(world.jobs.get('k')?.result?.errorCode, 'task_deleted')
    assert.deepEqual(world.types('j').at(-1), 'job_deleted')
  })

  test('secrets are gone once a task has ended', () => {
    const world = chain()
    world.happen('i', broken)
    for (const task of world.tasks.values()) assert.equal(task.sealed, null)
  })
})

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
