/** Sends a request and reads the answer as it comes: status, headers, time, and as much of the body as can be shown. */
import type { Reforge } from '@reforge/sdk'
import { useEffect, useRef, useState } from 'react'
import { useReforge } from '../../session/session.tsx'

export interface Trial {
  status: number
  words: string
  headers: [string, string][]
  milliseconds: number
  type: string
  text: string
  /** Bytes that came. */
  size: number
  /** More came than is shown. */
  isCut: boolean
  /** For what is no text: to be saved. */
  blob: Blob | null
  done: boolean
}

export const MOST_SHOWN = 200_000
const isText = (type: string): boolean => /json|^text\/|xml|javascript|event-stream/.test(type)

type Request = Parameters<Reforge['request']>[0]

export function useTrial() {
  const reforge = useReforge()
  const [trial, setTrial] = useState<Trial | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function send(request: Omit<Request, 'signal'>): Promise<void> {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    setSending(true)
    setError(null)
    setTrial(null)
    try {
      await receive(await begin(reforge, request, control.signal), setTrial)
    } catch (problem) {
      if (!control.signal.aborted) setError(problem)
    } finally {
      if (running.current === control) setSending(false)
    }
  }
  return { trial, error, isSending, send, stop: () => running.current?.abort() }
}

async function begin(reforge: Reforge, request: Omit<Request, 'signal'>, signal: AbortSignal) {
  const start = performance.now()
  const answer = await reforge.request({ ...request, signal })
  return { answer, milliseconds: performance.now() - start }
}

async function receive(
  { answer, milliseconds }: { answer: Response; milliseconds: number },
  tell: (trial: Trial) => void,
): Promise<void> {
  const type = answer.headers.get('content-type') ?? ''
  let trial: Trial = {
    status: answer.status,
    words: answer.statusText,
    headers: [...answer.headers],
    milliseconds,
    type,
    text: '',
    size: 0,
    isCut: false,
    blob: null,
    done: false,
  }
  tell(trial)
  if (!isText(type)) {
    const blob = await answer.blob()
    return tell({ ...trial, blob: blob.size > 0 ? blob : null, size: blob.size, done: true })
  }
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true }
    if (done) return tell({ ...trial, done })
    const text = (trial.text + value).slice(0, MOST_SHOWN)
    trial = { ...trial, text, size: trial.size + value.length, isCut: trial.size + value.length > MOST_SHOWN }
    tell(trial)
  }
}
