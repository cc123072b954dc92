/**
 * A client as the public ones of this API family are written: axios, form-data and polling. It knows a base URL and a key
 * and nothing else about us; what it needs changed to work here is a defect.
 */
import { Agent } from 'node:https'
import { Readable } from 'node:stream'
import axios, { type AxiosInstance } from 'axios'
import FormData from 'form-data'
import type { Shown } from './steps.ts'

export interface FamilyClient {
  http: AxiosInstance
  /** The steps of import/upload, outside a job or for a task of a job. */
  upload(bytes: Buffer, filename: string, task?: Shown): Promise<Shown>
  task(operation: string, parameters?: object): Promise<Shown>
  job(tasks: object, tag?: string): Promise<Shown>
  /** Asks again and again until it has ended. */
  poll(kind: 'tasks' | 'jobs', id: string): Promise<Shown>
  download(url: string): Promise<Buffer>
}

export function createFamilyClient(base: string, key: string, ca: string): FamilyClient {
  const httpsAgent = new Agent({ ca })
  const http = axios.create({
    baseURL: `${base}/v1`,
    httpsAgent,
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/json', 'Content-Type': 'application/json' },
  })
  const post = async (path: string, body?: object): Promise<Shown> => (await http.post(path, body)).data
  const isOver = ({ status }: Shown): boolean => ['completed', 'failed', 'canceled'].includes(status)

  const client: FamilyClient = {
    http,
    task: (operation, parameters) => post(`/process/${operation}`, parameters),
    job: (tasks, tag) => post('/process/jobs', { tag, tasks }),

    async upload(bytes, filename, task) {
      const waiting = task ?? (await client.task('import/upload'))
      const { url, parameters } = waiting.result.form
      const form = new FormData()
      for (const [name, value] of Object.entries(parameters)) form.append(name, value)
      form.append('file', Readable.from([bytes]), { filename })
      const { data } = await axios.post(url, form, { headers: form.getHeaders(), httpsAgent })
      return data
    },

    async poll(kind, id) {
      for (;;) {
        const { data } = await http.get(`/process/${kind}/${id}`)
        if (isOver(data)) return data
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },

    async download(url) {
      const { data } = await axios.get(url, { responseType: 'arraybuffer', httpsAgent })
      return Buffer.from(data)
    },
  }
  return client
}
