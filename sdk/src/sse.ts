/** Reads text/event-stream as the HTML standard describes it, from pieces cut anywhere. Pure. */

export interface SseMessage {
  id: string
  event: string
  data: string
}

export interface SseParser {
  /** The messages that this piece completes. */
  push(text: string): SseMessage[]
}

export function createSseParser(): SseParser {
  let rest = ''
  let first = true
  let afterCr = false
  let id = ''
  let event = ''
  let data: string[] = []

  function field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
  }

  /** A blank line completes a message; one without data is dropped. */
  function line(text: string): SseMessage | null {
    if (text !== '') {
      if (!text.startsWith(':')) field(text)
      return null
    }
    const message = data.length ? { id, event: event || 'message', data: data.join('\n') } : null
    event = ''
    data = []
    return message
  }

  return {
    push(text) {
      if (text === '') return []
      let fresh = first ? text.replace(/^\uFEFF/, '') : text
      first = false
      // CR LF is one line end, also when the pieces were cut between the two.
      if (afterCr && fresh.startsWith('\n')) fresh = fresh.slice(1)
      afterCr = fresh.endsWith('\r')
      const lines = (rest + fresh).split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ''
      return lines.map(line).filter((message) => message !== null)
    },
  }
}
