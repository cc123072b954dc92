/** Counters for Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Left } from '../core/quota.ts'
import { isMetered, type Task } from '../core/task.ts'
import type { Queue } from '../ports/queue.ts'

export function createMetrics(queue: Pick<Queue, 'depth'>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'reforge_http_request_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const tasks = new Counter({
    name: 'reforge_tasks_total',
    help: 'Tasks that ended, by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  })
  const running = new Histogram({
    name: 'reforge_task_seconds',
    help: 'Time a task ran.',
    labelNames: ['operation'],
    buckets: [0.01, 0.05, 0.2, 1, 5, 30, 120, 600],
    registers: [registry],
  })
  new Gauge({
    name: 'reforge_queue_tasks',
    help: 'Tasks in the queue, by lane and state.',
    labelNames: ['lane', 'state'],
    registers: [registry],
    async collect() {
      for (const [lane, { waiting, running: busy }] of Object.entries(await queue.depth())) {
        this.set({ lane, state: 'waiting' }, waiting)
        this.set({ lane, state: 'running' }, busy)
      }
    },
  })
  const minutes = new Counter({
    name: 'reforge_conversion_minutes_total',
    help: 'Minutes of conversion, as they are metered.',
    labelNames: ['operation'],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'reforge_quota_refusals_total',
    help: 'Requests refused and tasks stopped because minutes were used up, by limit.',
    labelNames: ['limit', 'when'],
    registers: [registry],
  })
  return {
    text: () => registry.metrics(),
    type: registry.contentType,
    request: (route: string, method: string, status: number, seconds: number) =>
      requests.observe({ route, method, status }, seconds),
    /** A request that was not taken. */
    refused: ({ of }: Left) => refusals.inc({ limit: of, when: 'asked' }),
    /** `stopped`: the limit that ended it. */
    task(task: Task, seconds: number, ok: boolean, stopped: Left | null) {
      if (isMetered(task)) minutes.inc({ operation: task.operation }, Math.max(0, seconds) / 60)
      if (stopped) refusals.inc({ limit: stopped.of, when: 'running' })
      tasks.inc({ operation: task.operation, outcome: ok ? 'completed' : 'failed' })
      running.observe({ operation: task.operation }, seconds)
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
