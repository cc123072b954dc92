/** What the server answered: status, time, headers behind a fold, the body. */
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { readableDuration, readableSize } from '../../figures/figures.ts'
import { useObjectUrl } from '../../preview/object-url.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './reference.module.css'
import { MOST_SHOWN, type Trial } from './use-trial.ts'

/** JSON is shown with its lines; what is cut off is no JSON any more. */
function readable({ type, text, isCut, done }: Trial): string {
  if (!type.includes('json') || isCut || !done) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function AnswerView({ trial }: { trial: Trial }) {
  const texts = useTexts().reference
  const saved = useObjectUrl(trial.blob)
  const shown = readable(trial)
  return (
    <Paper component="section" aria-labelledby="answer">
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm" role="status">
            <Title order={3} fz="md" id="answer">
              {texts.answer}
            </Title>
            <Badge size="lg" color={trial.status < 400 ? 'green' : 'red'}>
              {texts.status(trial.status, trial.words)}
            </Badge>
            <Text size="sm" c="dimmed">
              {texts.took(readableDuration(trial.milliseconds))}
              {trial.size > 0 && ` · ${readableSize(trial.size)}`}
            </Text>
            {!trial.done && (
              <Text size="sm" c="dimmed">
                {texts.streaming}
              </Text>
            )}
          </Group>
          {shown && <CopyButton value={shown} />}
        </Group>
        <details className={classes.fold}>
          <summary>{texts.headers(trial.headers.length)}</summary>
          <dl className={classes.headers}>
            {trial.headers.map(([name, value]) => (
              <Header key={name} name={name} value={value} />
            ))}
          </dl>
        </details>
        {shown && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre className={classes.body} tabIndex={0}>
            {shown}
          </pre>
        )}
        {trial.isCut && <Text size="sm">{texts.cut(readableSize(MOST_SHOWN))}</Text>}
        {saved && trial.blob && (
          <Group>
            <Text size="sm">{texts.binary(readableSize(trial.blob.size))}</Text>
            <Button component="a" href={saved} download="answer" size="xs" variant="default">
              {texts.save}
            </Button>
          </Group>
        )}
        {trial.done && !shown && !trial.blob && (
          <Text size="sm" c="dimmed">
            {texts.empty}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

const Header = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)
