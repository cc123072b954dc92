/** Users: find, invite, change, suspend, delete. */
import { Button, Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import type { TicketLink, User } from '@reforge/sdk'
import { IconSearch, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { Pager } from '../../components/pager.tsx'
import { Rows } from '../../components/rows.tsx'
import { useReforge } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { RemoveUserDialog } from './remove-dialog.tsx'
import { ChangeUserDialog, InviteDialog, LinkDialog } from './user-dialogs.tsx'
import { UserRow } from './user-row.tsx'

const PER_PAGE = 25

type Doing = { what: 'change' | 'remove'; user: User } | { what: 'link'; user: User; link: TicketLink } | null

export function UsersPage() {
  const { users: texts } = useTexts()
  const reforge = useReforge()
  const [inviting, dialog] = useDisclosure()
  const [doing, setDoing] = useState<Doing>(null)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery({
    queryKey: ['users', search, page],
    queryFn: () => reforge.admin.users.list({ page, per_page: PER_PAGE, ...(search && { search }) }),
    placeholderData: (before) => before,
  })
  const done = () => setDoing(null)
  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button leftSection={<IconUserPlus size={18} />} onClick={dialog.open}>
          {texts.invite}
        </Button>
      }
    >
      <TextInput
        type="search"
        maw={360}
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setPage(1)
        }}
      />
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton h={200} />}
      {data?.totalDocs === 0 && <Text c="dimmed">{texts.none}</Text>}
      {data && data.totalDocs > 0 && (
        <Rows label={texts.list}>
          {data.docs.map((user) => (
            <UserRow
              key={user.id}
              known={user}
              onChange={() => setDoing({ what: 'change', user })}
              onLink={(link) => setDoing({ what: 'link', user, link })}
              onRemove={() => setDoing({ what: 'remove', user })}
            />
          ))}
        </Rows>
      )}
      {data && <Pager page={page} pages={data.totalPages} total={data.totalDocs} onTurn={setPage} />}
      <InviteDialog opened={inviting} onClose={dialog.close} />
      <ChangeUserDialog known={doing?.what === 'change' ? doing.user : null} onClose={done} />
      <RemoveUserDialog known={doing?.what === 'remove' ? doing.user : null} onClose={done} />
      <LinkDialog
        shown={doing?.what === 'link' ? { email: doing.user.email, link: doing.link } : null}
        onClose={done}
      />
    </PageFrame>
  )
}
