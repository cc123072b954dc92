/** API reference: every call of this server, from its own document, to read and to try. Works offline. */
import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRoute } from 'wouter'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { documentQuery } from '../../openapi/document.ts'
import { SERVER } from '../../place.ts'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CallList } from './call-list.tsx'
import { CallView } from './call-view.tsx'
import classes from './reference.module.css'

export function ReferencePage() {
  const texts = useTexts().reference
  const { data: api, error, refetch } = useQuery(documentQuery(useReforge()))
  const [, params] = useRoute('/reference/:id')
  const id = params?.id
  const call = api?.endpoints.find((each) => each.id === id)
  return (
    <PageFrame
      title={texts.title}
      lead={api ? `${texts.lead} ${texts.version(api.version)}.` : texts.lead}
      actions={
        <Group gap="xs">
          <Button
            component="a"
            href={`${SERVER}/docs`}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="xs"
            rightSection={<IconExternalLink size={14} />}
          >
            {texts.plain}
          </Button>
          <Button
            component="a"
            href={`${SERVER}/openapi.json`}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="xs"
            rightSection={<IconExternalLink size={14} />}
          >
            {texts.document}
          </Button>
        </Group>
      }
    >
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!api && !error && <Skeleton height={480} />}
      {api && (
        <div className={classes.desk} data-open={id ? true : undefined}>
          <CallList api={api} current={id} />
          <div className={classes.call}>
            {id && (
              <Anchor component={Link} href="/reference" size="sm" hiddenFrom="md">
                <Group gap={4} component="span" mb="sm">
                  <IconArrowLeft size={16} aria-hidden="true" />
                  {texts.all}
                </Group>
              </Anchor>
            )}
            {call ? (
              <CallView key={call.id} call={call} api={api} />
            ) : (
              <Text c="dimmed" className={classes.none}>
                {id ? texts.gone : texts.choose}
              </Text>
            )}
          </div>
        </div>
      )}
    </PageFrame>
  )
}
