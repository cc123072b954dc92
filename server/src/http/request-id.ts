/** What a request is called in the log and in the answer. Node keeps random numbers for this in store; fewer bytes cost more. */
import { randomUUID } from 'node:crypto'

export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`
