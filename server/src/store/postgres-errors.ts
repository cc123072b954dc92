/** What an error of PostgreSQL means for the one who asked. */

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** Two transactions got in each other's way, and this one was undone: it may simply be tried again. */
export const isClash = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** The server said no before it did anything: it is starting, stopping, or full. */
export const isRefusal = (error: unknown): boolean =>
  /^(57P0[1-3]|53300|ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(codeOf(error))

/** The connection is gone; what was asked last may or may not have been done. */
export const isLost = (error: unknown): boolean =>
  isRefusal(error) ||
  /^(08...|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(codeOf(error)) ||
  (error instanceof Error &&
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
      error.message,
    ))
