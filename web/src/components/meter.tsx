/** How much of a limit is used, as a bar with its words. */
import { Progress, Text } from '@mantine/core'

interface MeterProps {
  /** Says all of it: "2.5 of 10 minutes used". */
  label: string
  used: number
  limit: number
  hint?: string | undefined
}

/** From here on one should know. */
const NEAR = 0.85

export function Meter({ label, used, limit, hint }: MeterProps) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  return (
    <div>
      <Text size="sm">{label}</Text>
      <Progress.Root size="sm" radius="xl" my={6}>
        <Progress.Section
          value={Math.max(share * 100, used > 0 ? 1.5 : 0)}
          color={share >= 1 ? 'red' : share >= NEAR ? 'yellow' : undefined}
          aria-label={label}
          aria-valuenow={Math.round(share * 100)}
          withAria
        />
      </Progress.Root>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </div>
  )
}
