/** The steps for programs: a key, and the first call with it. */
import { Button, Text, Title } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { firstCall } from '../../code/first-call.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { SERVER } from '../../place.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

interface KeyStepProps {
  secret: string | null
  onSecret: (secret: string) => void
}

export function KeyStep({ secret, onSecret }: KeyStepProps) {
  const { welcome, keys } = useTexts()
  const texts = welcome.steps
  const reforge = useReforge()
  const make = useMutation({
    mutationFn: () => reforge.account.keys.create({ name: texts.keyName, scopes: ['tasks:read', 'tasks:write'] }),
    onSuccess: ({ key }) => onSecret(key),
  })
  return (
    <>
      <Title order={2} size="h4">
        {texts.key}
      </Title>
      <Text size="sm" mb="md">
        {texts.keyLead}
      </Text>
      {make.error && <ErrorBox error={make.error} />}
      {secret ? (
        <SecretOnce label={keys.fresh.label} secret={secret} hint={keys.fresh.hint} />
      ) : (
        <Button leftSection={<IconKey size={18} />} loading={make.isPending} onClick={() => make.mutate()}>
          {texts.keyRun}
        </Button>
      )}
    </>
  )
}

export function CallStep({ secret }: { secret: string | null }) {
  const texts = useTexts().welcome.steps
  return (
    <>
      <Title order={2} size="h4">
        {texts.call}
      </Title>
      <Text size="sm" mb="md">
        {texts.callLead} {secret === null && texts.callNoKey}
      </Text>
      <CodeBlock code={firstCall(SERVER, secret ?? texts.keyPlace)} />
    </>
  )
}
