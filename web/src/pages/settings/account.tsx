/** Who one is here, with which limits. */
import { Button, Group, Paper, Title } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNotifyError } from '../../components/error-box.tsx'
import { Facts } from '../../components/facts.tsx'
import { meQuery } from '../../data/queries.ts'
import { readableNumber, readableSize } from '../../figures/figures.ts'
import { useSession } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function Account() {
  const texts = useTexts().settings.account
  const { user, reforge, signOut } = useSession()
  const notifyError = useNotifyError()
  const { data } = useQuery(meQuery(reforge))
  if (!user) return null
  return (
    <Paper component="section" aria-label={texts.title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{texts.title}</Title>
        <Button variant="default" leftSection={<IconLogout size={18} />} onClick={() => signOut().catch(notifyError)}>
          {texts.signOut}
        </Button>
      </Group>
      <Facts
        facts={[
          [texts.email, user.email],
          [texts.role, texts.roles[user.role]],
          [texts.plan, data?.plan.name ?? user.plan],
          [texts.limits, data && texts.limitsOf(readableSize(data.limits.maxFileSize), data.limits.concurrency)],
          [
            texts.kept,
            data &&
              texts.keptFor(readableNumber(data.retention.filesHours), readableNumber(data.retention.recordsHours)),
          ],
          [texts.id, <code key="id">{user.id}</code>],
        ]}
      />
    </Paper>
  )
}
