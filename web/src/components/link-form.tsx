/** Asks for the address of a file that the server is to fetch. */
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './file-drop.module.css'

export function LinkForm({ onLink }: { onLink: (address: string) => void }) {
  const { drop } = useTexts().shared
  const [address, setAddress] = useState('')
  const [bad, setBad] = useState(false)
  const add = (event: FormEvent) => {
    event.preventDefault()
    const url = URL.parse(address.trim())
    if (url && /^https?:$/.test(url.protocol)) onLink(url.href)
    else setBad(true)
  }
  return (
    <form onSubmit={add} className={classes.link} noValidate>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          label={drop.linkLabel}
          description={drop.linkHint}
          placeholder={drop.linkPlaceholder}
          inputMode="url"
          value={address}
          error={bad && drop.linkBad}
          onChange={({ currentTarget }) => {
            setAddress(currentTarget.value)
            setBad(false)
          }}
          className={classes.address}
          data-autofocus
        />
        <Button type="submit">{drop.linkAdd}</Button>
      </Group>
    </form>
  )
}
