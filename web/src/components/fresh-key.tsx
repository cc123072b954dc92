/** A key that was just made: to copy, and what to try with it. */
import { Stack, Text, Title } from '@mantine/core'
import { firstCall } from '../code/first-call.ts'
import { SERVER } from '../place.ts'
import { useTexts } from '../texts/texts.tsx'
import { CodeBlock } from './code-block.tsx'
import { SecretOnce } from './secret-once.tsx'

export function FreshKey({ secret }: { secret: string }) {
  const { fresh } = useTexts().keys
  return (
    <Stack>
      <SecretOnce label={fresh.label} secret={secret} hint={fresh.hint} />
      <div>
        <Title order={3} size="h5">
          {fresh.call}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {fresh.callHint}
        </Text>
        <CodeBlock code={firstCall(SERVER, secret)} />
      </div>
    </Stack>
  )
}
