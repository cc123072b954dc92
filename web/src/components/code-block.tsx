/** Code to copy, in one or several ways of saying the same: as curl, as SDK code, as JSON. */
import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

export type CodeKind = 'curl' | 'sdk' | 'json'

/** With several kinds there is a switch between them. */
export function CodeBlock({ code }: { code: string | Partial<Record<CodeKind, string>> }) {
  const texts = useTexts().shared.code
  const kinds = typeof code === 'string' ? [] : (['curl', 'sdk', 'json'] as const).filter((kind) => code[kind])
  const [chosen, choose] = useState<CodeKind>()
  const kind = chosen && kinds.includes(chosen) ? chosen : kinds[0]
  const shown = typeof code === 'string' ? code : kind ? (code[kind] ?? '') : ''
  return (
    <div className={classes.block}>
      <Group justify="space-between" className={classes.bar}>
        {kinds.length > 1 && kind ? (
          <SegmentedControl
            size="xs"
            aria-label={texts.kind}
            value={kind}
            onChange={(value) => choose(kinds.find((each) => each === value))}
            data={kinds.map((each) => ({ value: each, label: texts[each] }))}
          />
        ) : (
          <Text size="xs" c="dimmed">
            {kind && texts[kind]}
          </Text>
        )}
        <CopyButton value={shown} label={texts.copy} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        <code>{shown}</code>
      </pre>
    </div>
  )
}
