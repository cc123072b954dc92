/** Everything that is wrong, in one place; each leads to its step. */
import { Alert, Anchor, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useTexts } from '../../texts/texts.tsx'
import { type Draft, find } from './draft.ts'
import { problemWords } from './problem-words.ts'
import type { Problem } from './problems.ts'

interface ProblemListProps {
  draft: Draft
  problems: readonly Problem[]
  onSelect: (step: string) => void
}

export function ProblemList({ draft, problems, onSelect }: ProblemListProps) {
  const texts = useTexts()
  const words = texts.builder.problems
  const isBad = problems.some(({ mild }) => !mild)
  if (problems.length === 0)
    return (
      <Alert color="green" variant="light" icon={<IconCircleCheck />} role="status">
        {words.none}
      </Alert>
    )
  return (
    <Alert color={isBad ? 'red' : 'yellow'} variant="light" icon={<IconAlertTriangle />} role="status">
      <Text size="sm" fw={600}>
        {words.title(problems.length)}
      </Text>
      <List size="sm" mt={4}>
        {problems.map((problem) => {
          const step = problem.step === undefined ? undefined : find(draft, problem.step)
          return (
            <List.Item key={`${problem.step}${problem.kind}${problem.about.join()}`}>
              {step && (
                <Anchor component="button" type="button" size="sm" fw={600} onClick={() => onSelect(step.id)}>
                  {step.name}
                </Anchor>
              )}{' '}
              {problemWords(problem, texts)}
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}
