/** Takes files: dropped anywhere on the page, chosen, a whole folder, pasted, or by address. */
import { Button, Group, Text } from '@mantine/core'
import { IconClipboard, IconFolder, IconLink, IconPlus, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './file-drop.module.css'
import { LinkForm } from './link-form.tsx'
import { usePageDrop } from './page-drop.ts'

interface FileDropProps {
  onFiles: (files: File[]) => void
  /** Without it no address can be given. */
  onLink?: ((address: string) => void) | undefined
  /** A line instead of a large field, for when there are files already. */
  compact?: boolean
  /** Says what to drop; by default any files. */
  title?: string
  hint?: string | undefined
  multiple?: boolean
}

export function FileDrop({ onFiles, onLink, compact = false, title, hint, multiple = true }: FileDropProps) {
  const { drop } = useTexts().shared
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [linking, setLinking] = useState(false)
  const take = (list: Iterable<File>) => {
    const all = [...list]
    if (all.length > 0) onFiles(multiple ? all : all.slice(0, 1))
  }
  const over = usePageDrop(take)
  const chosen = (input: HTMLInputElement) => {
    take(input.files ?? [])
    input.value = ''
  }
  return (
    <section
      className={compact ? classes.strip : classes.field}
      data-over={over || undefined}
      aria-label={title ?? drop.title}
    >
      <input
        ref={files}
        type="file"
        multiple={multiple}
        hidden
        aria-label={drop.choose}
        onChange={({ currentTarget }) => chosen(currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={drop.folder}
        {...{ webkitdirectory: '' }}
        onChange={({ currentTarget }) => chosen(currentTarget)}
      />
      {!compact && (
        <>
          <div className={classes.mark} aria-hidden="true">
            <IconUpload size={30} stroke={1.6} />
          </div>
          <Text component="h2" fz={22} fw={650}>
            {over ? drop.over : (title ?? drop.title)}
          </Text>
          {hint && (
            <Text c="dimmed" size="sm" mb={4}>
              {hint}
            </Text>
          )}
        </>
      )}
      <Group gap="sm" justify={compact ? 'flex-start' : 'center'}>
        <Button
          size={compact ? 'xs' : 'md'}
          variant={compact ? 'default' : 'filled'}
          leftSection={<IconPlus size={18} />}
          onClick={() => files.current?.click()}
        >
          {compact ? drop.more : drop.choose}
        </Button>
        {multiple && (
          <Button
            size={compact ? 'xs' : 'md'}
            variant="default"
            visibleFrom="sm"
            leftSection={<IconFolder size={18} />}
            onClick={() => folder.current?.click()}
          >
            {drop.folder}
          </Button>
        )}
        {onLink && (
          <Button
            size={compact ? 'xs' : 'md'}
            variant="default"
            leftSection={<IconLink size={18} />}
            aria-expanded={linking}
            onClick={() => setLinking(!linking)}
          >
            {drop.link}
          </Button>
        )}
        {compact && (
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {over ? drop.over : drop.anywhere}
          </Text>
        )}
      </Group>
      {!compact && (
        <Group gap={6} c="dimmed" visibleFrom="sm">
          <IconClipboard size={16} aria-hidden="true" />
          <Text size="sm">{drop.paste}</Text>
        </Group>
      )}
      {linking && onLink && (
        <LinkForm
          onLink={(address) => {
            setLinking(false)
            onLink(address)
          }}
        />
      )}
    </section>
  )
}
