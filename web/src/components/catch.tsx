/** Keeps a broken page from taking the whole dashboard with it. */
import { Button, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'

/** React offers this as a class only. */
export class Catch extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    return this.state.error ? <Broken /> : this.props.children
  }
}

function Broken() {
  const { broken } = useTexts().shell
  return (
    <div role="alert">
      <Title order={1}>{broken.title}</Title>
      <Text c="dimmed" my="md">
        {broken.lead}
      </Text>
      <Button onClick={() => location.reload()}>{broken.reload}</Button>
    </div>
  )
}
