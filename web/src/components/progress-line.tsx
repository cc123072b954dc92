/** A thin bar with its words. Without a percent it moves, and says only what goes on. */
import { Progress, Text } from '@mantine/core'
import classes from './progress-line.module.css'

interface ProgressLineProps {
  /** What goes on: "Uploading", "Waiting for a free worker". */
  label: string
  /** 0 to 100; undefined while nobody knows. */
  percent?: number | undefined
}

export const ProgressLine = ({ label, percent }: ProgressLineProps) => (
  <div className={classes.line}>
    <Progress.Root size="sm" radius="xl">
      <Progress.Section
        value={percent ?? 100}
        animated={percent === undefined}
        className={percent === undefined ? classes.unknown : undefined}
        aria-label={label}
        aria-valuenow={percent}
        withAria
      />
    </Progress.Root>
    <Text size="xs" c="dimmed" lh={1.4} mt={3} truncate>
      {label}
      {percent !== undefined && `, ${percent} %`}
    </Text>
  </div>
)
