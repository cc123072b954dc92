/** The records of the house: tasks, jobs, the files of tasks and the events told about them. Times are milliseconds. */
import type { JobErrorCode, TaskErrorCode } from './errors.ts'

export const TASK_STATUSES = ['created', 'processing', 'completed', 'canceled', 'failed', 'deleted'] as const
export const JOB_STATUSES = ['created', 'processing', 'completed', 'failed'] as const

export type TaskStatus = (typeof TASK_STATUSES)[number]
export type JobStatus = (typeof JOB_STATUSES)[number]
/** `parts` is for parts of tasks that run: what those wait for never stands behind them. */
export const LANES = ['io', 'light', 'heavy', 'parts'] as const
export type Lane = (typeof LANES)[number]
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** A file that belongs to a task. The bytes are in the blob; several files may share one. */
export interface TaskFile {
  id: string
  blob: string
  filename: string
  size: number
  format: string
}

/** What a task came to. `more` is what its operation wants to tell besides (options applied, the route, …). */
export interface TaskResult {
  files?: TaskFile[]
  errorCode?: TaskErrorCode
  msg?: string
  more?: JsonObject
}

export interface Task {
  id: string
  user: string
  /** The key it was created with; null when that was a session. */
  key: string | null
  job: string | null
  name: string
  operation: string
  lane: Lane
  /** What a worker must have to run it, as it is offered; null when any of its lane will do. */
  needs: string | null
  /** Finished by the caller (an upload), not by a worker. */
  waits: boolean
  status: TaskStatus
  /** As sent, secrets masked. */
  payload: JsonObject
  /** Secrets of the payload, sealed; gone when the task ends. */
  sealed: string | null
  dependsOn: string[]
  /** How many of `dependsOn` have not completed yet; at 0 it may run. */
  waitingFor: number
  priority: number
  /** How often a worker has started it. */
  attempts: number
  /** When the attempt that runs now, or was the last, began: what it costs counts from here. */
  takenAt: number | null
  /** What it took in, known when it starts: bytes, and the format of the first file. */
  bytesIn: number
  source: string | null
  percent: number | null
  result: TaskResult | null
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  updatedAt: number
  /** When its files go. */
  expiresAt: number
  /** When its record goes, unless it belongs to a job. */
  keptUntil: number
}

export interface Job {
  id: string
  user: string
  tag: string | null
  webhookUrl: string | null
  status: JobStatus
  /** How many of its tasks have not completed. */
  open: number
  result: { errorCode: JobErrorCode; msg: string } | null
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  updatedAt: number
  expiresAt: number
}

export const TASK_EVENTS = [
  'task_created',
  'task_started',
  'task_min_update',
  'task_completed',
  'task_failed',
  'task_canceled',
  'task_deleted',
] as const
export const JOB_EVENTS = ['job_created', 'job_started', 'job_completed', 'job_failed', 'job_deleted'] as const
export type TaskEventType = (typeof TASK_EVENTS)[number]
export type JobEventType = (typeof JOB_EVENTS)[number]
export type EventType = TaskEventType | JobEventType

/**
 * One thing that happened, with the record as it was then. `stream` is the job's id, or the task's own outside a job;
 * `seq` counts from 1 within it.
 */
export type StreamEvent = { stream: string; seq: number; user: string; at: number } & (
  | { type: TaskEventType; task: Task }
  | { type: JobEventType; job: Job; tasks: Task[] }
)

export const hasEnded = (status: TaskStatus | JobStatus): boolean => status !== 'created' && status !== 'processing'
/** Conversions are paid for by time; moving files in and out is not. */
export const isMetered = (task: Pick<Task, 'lane'>): boolean => task.lane !== 'io'
/** Of the files a task takes in: all bytes, and what the first of them is. */
export const takenIn = (files: readonly TaskFile[]): { bytes: number; format: string | null } => ({
  bytes: files.reduce((sum, { size }) => sum + size, 0),
  format: files[0]?.format ?? null,
})
export const streamOf = (task: Pick<Task, 'id' | 'job'>): string => task.job ?? task.id

/** "Files of any task are deleted 4 hours after task creation; records are removed 24 hours after creation." */
export const HOUR = 3_600_000
export const FILES_KEPT = 4 * HOUR
export const RECORDS_KEPT = 24 * HOUR
