/** What both ways of uploading share: the right to upload, and the end of the task. */
import { notFound, Problem } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { transition } from '../core/machine.ts'
import { most } from '../core/quota.ts'
import { hasEnded, type Task, type TaskFile } from '../core/task.ts'
import type { HttpDeps } from './deps.ts'

const TELL_EVERY = 1000

export function createUploads({ store, blobs, clock, links, metering, settings }: HttpDeps) {
  const ended = (task: Task) =>
    new Problem(
      'conflict',
      `The upload task has already ${task.status === 'completed' ? 'received its file' : 'ended'}.`,
    )

  const progressed = async (task: Task, percent: number): Promise<void> => {
    await store.change(task.id, (slice) => transition(slice, { type: 'progressed', percent }, clock.now()))
  }

  return {
    /** "Wrong or expired signature: 403. Second upload to a finished task: 409." */
    async open(id: string, expires: string, signature: string): Promise<Task> {
      const verdict = isId(id) ? links.checkForm(id, expires, signature, clock.now()) : 'wrong'
      if (verdict === 'wrong')
        throw new Problem('forbidden', 'The signature of this upload is not valid. Send the form parameters unchanged.')
      const task = await store.task(id)
      if (!task?.waits) throw notFound('The upload task')
      if (hasEnded(task.status)) throw ended(task)
      // An upload that has begun in time may take longer than that.
      if (verdict === 'expired' && (task.startedAt === null || task.expiresAt <= clock.now()))
        throw new Problem('forbidden', 'The time for this upload is over.')
      return task
    },

    /** Bytes that the file may have: the right to upload is the task's, so the plan is that of its owner. */
    async most({ user, key }: Task): Promise<number> {
      return most((await metering.terms(user, key)).plan.maxFileSize, settings.maxFileSize)
    },

    /** "An upload task counts as started when bytes arrive." */
    async arrived(task: Task): Promise<void> {
      await store.change(task.id, (slice) => transition(slice, { type: 'arrived' }, clock.now()))
    },

    progressed,

    /** Tells how far it has come, once a second until disposed; which also shows the janitor that somebody is still sending. */
    follow(task: Task, seen: () => number, size: number): Disposable {
      // A look now and then costs nothing; counting chunks as they pass would cost every one of them.
      const timer = setInterval(() => void progressed(task, (seen() / size) * 100).catch(() => {}), TELL_EVERY)
      return { [Symbol.dispose]: () => clearInterval(timer) }
    },

    /** Two uploads may race for one task: the first to finish wins, the other's bytes go. */
    async complete(task: Task, file: TaskFile): Promise<Task> {
      const written = await store.change(task.id, (slice) =>
        transition(slice, { type: 'completed', result: { files: [file] } }, clock.now()),
      )
      const done = written?.change.tasks.find(({ id }) => id === task.id)
      if (done) return done
      await blobs.remove([file.blob])
      const now = await store.task(task.id)
      if (!now) throw notFound('The upload task')
      throw ended(now)
    },
  }
}
