/** Counters for Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Task } from '../core/task.ts'
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
  return {
    text: () => registry.metrics(),
    type: registry.contentType,
    request: (route: string, method: string, status: number, seconds: number) =>
      requests.observe({ route, method, status }, seconds),
    task(task: Task, seconds: number, ok: boolean) {
      tasks.inc({ operation: task.operation, outcome: ok ? 'completed' : 'failed' })
      running.observe({ operation: task.operation }, seconds)
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
