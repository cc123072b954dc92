import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aJob, aTask, broken, createWorld, done } from '../../test/support/world.ts'

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
