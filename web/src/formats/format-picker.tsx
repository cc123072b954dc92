/** Chooses a format: type to search, the common ones first, then by family. */
import { Combobox, InputBase, ScrollArea, Text, useCombobox } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { type FormatInfo, grouped } from './common.ts'
import classes from './format-picker.module.css'

interface FormatPickerProps {
  formats: readonly FormatInfo[]
  value: string | undefined
  onChange: (ext: string) => void
  /** Of the file to convert: decides which formats are the common ones. */
  family?: string | undefined
  label?: string
  disabled?: boolean
  size?: 'xs' | 'sm' | 'md'
}

const fits = ({ ext, title }: FormatInfo, search: string): boolean =>
  ext.startsWith(search) || title.toLowerCase().includes(search)

export function FormatPicker({ formats, value, onChange, family, label, disabled, size = 'sm' }: FormatPickerProps) {
  const texts = useTexts().shared.formats
  const [search, setSearch] = useState('')
  const id = useId()
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const wanted = search.trim().toLowerCase().replace(/^\./, '')
  const found = wanted ? formats.filter((format) => fits(format, wanted)) : formats
  const { common, families } = grouped(found, family)
  const options = (list: readonly FormatInfo[], prefix: string) =>
    list.map(({ ext, title }) => (
      <Combobox.Option key={prefix + ext} value={ext} active={ext === value} className={classes.option}>
        <span className={classes.ext}>{ext.toUpperCase()}</span>
        <Text component="span" size="xs" c="dimmed" truncate>
          {title}
        </Text>
      </Combobox.Option>
    ))
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      shadow="md"
      withinPortal
      onOptionSubmit={(ext) => {
        onChange(ext)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <InputBase
          component="button"
          type="button"
          pointer
          size={size}
          disabled={disabled ?? false}
          className={classes.target}
          aria-label={`${label ?? texts.label}: ${value?.toUpperCase() ?? texts.choose}`}
          rightSection={<IconChevronDown size={16} />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {value ? value.toUpperCase() : texts.choose}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          id={id}
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value)
            combobox.selectFirstOption()
          }}
          placeholder={texts.search}
          aria-label={texts.search}
        />
        <Combobox.Options aria-label={label ?? texts.label}>
          <ScrollArea.Autosize mah={300} type="auto" scrollbarSize={6}>
            {found.length === 0 && <Combobox.Empty>{texts.nothing}</Combobox.Empty>}
            {common.length > 0 && !wanted && (
              <Combobox.Group label={texts.common}>{options(common, 'common-')}</Combobox.Group>
            )}
            {families.map(([name, list]) => (
              <Combobox.Group key={name} label={texts.families[name] ?? texts.families.other}>
                {options(list, '')}
              </Combobox.Group>
            ))}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
