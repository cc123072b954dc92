/** Jobs kept under a name in this browser: save, open, export, import, delete. */
import { ActionIcon, Button, Drawer, FileButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconTrash, IconUpload } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import classes from './builder.module.css'
import { type Draft, draftOf } from './draft.ts'
import { loadTemplates, readTemplates, storeTemplates, type Template, templateOf, withTemplate } from './templates.ts'

interface TemplatesDrawerProps {
  user: string
  draft: Draft
  onUse: (draft: Draft) => void
  onClose: () => void
}

/** Gives the browser a file to keep. */
function saveFile(name: string, json: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(json, null, 2)], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export function TemplatesDrawer({ user, draft, onUse, onClose }: TemplatesDrawerProps) {
  const { builder, shared } = useTexts()
  const texts = builder.templates
  const [templates, setTemplates] = useState(() => loadTemplates(user))
  const [name, setName] = useState('')
  const say = (message: string, color = 'green') => notifications.show({ message, color })
  const keep = (next: Template[], message: string) => {
    try {
      storeTemplates(user, next)
      setTemplates(next)
      say(message)
    } catch {
      say(texts.full, 'red')
    }
  }
  const drop = (template: Template) => {
    const back = () => {
      notifications.hide(id)
      keep(templates, texts.saved(template.name))
    }
    storeTemplates(
      user,
      templates.filter((each) => each !== template),
    )
    setTemplates(loadTemplates(user))
    const id = notifications.show({
      message: (
        <Group justify="space-between">
          {texts.deleted(template.name)}
          <Button size="xs" variant="default" onClick={back}>
            {shared.undo}
          </Button>
        </Group>
      ),
    })
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const title = name.trim() || texts.untitled
    const known = templates.some((each) => each.name === title)
    keep(withTemplate(templates, templateOf(title, draft)), known ? texts.replaced(title) : texts.saved(title))
    setName('')
  }
  const take = async (file: File | null) => {
    if (!file) return
    const json: unknown = await file
      .text()
      .then(JSON.parse)
      .catch(() => null)
    const found = readTemplates(json, file.name.replace(/(\.reforge)?\.json$/, ''))
    if (found.length === 0) say(texts.bad, 'red')
    else keep(found.reduce(withTemplate, templates), texts.imported(found.length))
  }
  return (
    <Drawer opened onClose={onClose} title={texts.title} closeButtonProps={{ 'aria-label': shared.close }}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.lead}
        </Text>
        <form onSubmit={save}>
          <Group align="flex-end" wrap="nowrap" gap="xs">
            <TextInput
              label={texts.name}
              value={name}
              maxLength={100}
              flex={1}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button type="submit" disabled={draft.steps.length === 0}>
              {texts.save}
            </Button>
          </Group>
        </form>
        {templates.length === 0 && <Text c="dimmed">{texts.none}</Text>}
        <ul className={classes.templates} aria-label={texts.title}>
          {templates.map((template) => (
            <li key={template.name} className={classes.template}>
              <button
                type="button"
                className={classes.use}
                onClick={() => {
                  const opened = draftOf(template.job)
                  if (opened) onUse(opened)
                }}
              >
                <Text fw={600} truncate>
                  {template.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {texts.steps(Object.keys(template.job.tasks).length)}
                </Text>
              </button>
              <ActionIcon
                aria-label={texts.exportOf(template.name)}
                onClick={() => saveFile(`${template.name}.reforge.json`, template)}
              >
                <IconDownload size={18} />
              </ActionIcon>
              <ActionIcon aria-label={texts.deleteOf(template.name)} onClick={() => drop(template)}>
                <IconTrash size={18} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <FileButton accept="application/json,.json" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} />} w="fit-content">
              {texts.import}
            </Button>
          )}
        </FileButton>
      </Stack>
    </Drawer>
  )
}
