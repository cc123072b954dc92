/** The guided way after the first start: convert a sample, make a key, call the API. Every step can be skipped. */
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Door } from '../../session/door.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CallStep, KeyStep } from './key-steps.tsx'
import { SampleStep } from './sample-step.tsx'
import classes from './steps.module.css'

const STEPS = ['password', 'sample', 'key', 'call'] as const
type Step = (typeof STEPS)[number]

export function Steps({ onEnd }: { onEnd: () => void }) {
  const texts = useTexts().welcome.steps
  const [at, setAt] = useState<Step>('sample')
  const [done, setDone] = useState<readonly Step[]>(['password'])
  const [secret, setSecret] = useState<string | null>(null)
  const finish = (step: Step) => setDone((before) => [...new Set([...before, step])])
  const next = () => {
    const following = STEPS[STEPS.indexOf(at) + 1]
    if (following) setAt(following)
    else onEnd()
  }
  const isLast = at === STEPS.at(-1)
  const isDone = done.includes(at)
  return (
    <Door title={texts.title} lead={texts.lead} width={640}>
      <Progress value={(done.length / STEPS.length) * 100} aria-label={texts.progress(done.length, STEPS.length)} />
      <ol className={classes.steps}>
        {STEPS.map((step, index) => {
          const skipped = STEPS.indexOf(at) > index && !done.includes(step)
          const state = done.includes(step) ? 'done' : step === at ? 'now' : skipped ? 'skipped' : 'later'
          return (
            <li key={step} data-state={state} aria-current={step === at ? 'step' : undefined}>
              <span className={classes.mark} aria-hidden="true">
                {state === 'done' ? <IconCheck size={14} stroke={2.5} /> : index + 1}
              </span>
              <span>
                {texts[step]}
                <span className={classes.state}>, {texts.states[state]}</span>
              </span>
            </li>
          )
        })}
      </ol>
      <Stack mih={280} justify="space-between">
        <div>
          {at === 'sample' && <SampleStep onDone={() => finish('sample')} />}
          {at === 'key' && (
            <KeyStep
              secret={secret}
              onSecret={(made) => {
                setSecret(made)
                finish('key')
              }}
            />
          )}
          {at === 'call' && <CallStep secret={secret} />}
        </div>
        <Group justify="space-between" mt="lg">
          {isLast ? (
            <Text />
          ) : (
            <Button variant="subtle" color="gray" onClick={onEnd}>
              {texts.skipAll}
            </Button>
          )}
          <Button
            variant={isDone || isLast ? 'filled' : 'default'}
            rightSection={<IconArrowRight size={18} />}
            onClick={next}
          >
            {isLast ? texts.finish : isDone ? texts.next : texts.skip}
          </Button>
        </Group>
      </Stack>
    </Door>
  )
}
