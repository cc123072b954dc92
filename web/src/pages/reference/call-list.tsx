/** All calls by their groups, to search. Groups are folded until one looks into them or searches. */
import { Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import type { Api, Endpoint } from '../../openapi/document.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Method } from './method.tsx'
import classes from './reference.module.css'

const fits = ({ method, path, summary, tag }: Endpoint, words: readonly string[]): boolean => {
  const text = `${method} ${path} ${summary} ${tag}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

export function CallList({ api, current }: { api: Api; current: string | undefined }) {
  const texts = useTexts().reference
  const [search, setSearch] = useState('')
  const words = useDeferredValue(search).trim().toLowerCase().split(/\s+/).filter(Boolean)
  const found = api.endpoints.filter((call) => fits(call, words))
  const groups = Map.groupBy(found, ({ tag }) => tag)
  return (
    <nav className={classes.list} aria-label={texts.groups}>
      <TextInput
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        mb="sm"
      />
      {found.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {texts.nothing}
        </Text>
      )}
      {api.tags
        .filter((tag) => groups.has(tag))
        .map((tag) => (
          <Tag
            key={tag}
            name={tag}
            calls={groups.get(tag) ?? []}
            current={current}
            open={words.length > 0 || (groups.get(tag) ?? []).some(({ id }) => id === current)}
          />
        ))}
    </nav>
  )
}

interface TagProps {
  name: string
  calls: readonly Endpoint[]
  current: string | undefined
  /** Whatever was folded by hand. */
  open: boolean
}

function Tag({ name, calls, current, open }: TagProps) {
  const [unfolded, setUnfolded] = useState(false)
  const isOpen = open || unfolded
  return (
    <section>
      <button
        type="button"
        className={classes.tag}
        aria-expanded={isOpen}
        onClick={() => setUnfolded(!isOpen)}
        data-open={isOpen || undefined}
      >
        {name}
        <Text component="span" size="xs" c="dimmed" fw={400}>
          {calls.length}
        </Text>
      </button>
      {isOpen &&
        calls.map(({ id, method, path }) => (
          <Link
            key={id}
            href={`/reference/${id}`}
            className={classes.link}
            aria-current={id === current ? 'page' : undefined}
          >
            <Method method={method} />
            <span className={classes.path}>{path.replace('/v1', '')}</span>
          </Link>
        ))}
    </section>
  )
}
