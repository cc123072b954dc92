/** Reads `-progress`: whole percents that never go back, and the last one only at the end. Pure. */

export interface Progress {
  read(text: string): void
  end(): void
}

export function createProgress(
  seconds: number | null,
  [from, to]: readonly [from: number, to: number],
  report: (percent: number) => void,
): Progress {
  let rest = ''
  let last = from
  const tell = (percent: number): void => {
    if (percent <= last) return
    last = percent
    report(percent)
  }
  const line = (text: string): void => {
    const [, microseconds] = /^out_time_us=(\d+)$/.exec(text) ?? []
    if (microseconds === undefined || seconds === null || seconds <= 0) return
    const done = Math.min(1, Number(microseconds) / 1e6 / seconds)
    tell(Math.min(Math.floor(from + done * (to - from)), Math.ceil(to) - 1))
  }
  return {
    read(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop()?.slice(-256) ?? ''
      for (const each of lines) line(each.trim())
    },
    end: () => tell(Math.floor(to)),
  }
}
