/** Asks for a new password twice, and says what is wrong before the server does. */
import { PasswordInput } from '@mantine/core'
import { useState } from 'react'

/** As the server has it. */
const LEAST = 10

interface NewPasswordTexts {
  fresh: string
  hint: string
  again: string
  differ: string
  short: string
}

/** `problem` is null once it may be sent. */
export function useNewPassword() {
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const [tried, setTried] = useState(false)
  const problem: 'short' | 'differ' | null = [...first].length < LEAST ? 'short' : first !== second ? 'differ' : null
  return {
    ...{ first, second, setFirst, setSecond, tried, problem },
    /** The password, or null when something is wrong with it, which is shown from now on. */
    take(): string | null {
      setTried(true)
      return problem === null ? first : null
    },
    clear() {
      setFirst('')
      setSecond('')
      setTried(false)
    },
  }
}

interface NewPasswordProps {
  state: ReturnType<typeof useNewPassword>
  texts: NewPasswordTexts
}

export function NewPassword({ state, texts }: NewPasswordProps) {
  const { first, second, setFirst, setSecond, tried, problem } = state
  return (
    <>
      <PasswordInput
        label={texts.fresh}
        description={texts.hint}
        autoComplete="new-password"
        value={first}
        error={tried && problem === 'short' && texts.short}
        onChange={({ currentTarget }) => setFirst(currentTarget.value)}
      />
      <PasswordInput
        label={texts.again}
        autoComplete="new-password"
        value={second}
        error={tried && problem === 'differ' && texts.differ}
        onChange={({ currentTarget }) => setSecond(currentTarget.value)}
      />
    </>
  )
}
