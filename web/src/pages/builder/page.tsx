/** Builder: a job put together as a graph or as a list, checked as one goes, run, and kept as a template. */
import { Button, Paper, Skeleton, Text, TextInput, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlayerPlay, IconTemplate } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useSession } from '../../session/session.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { operationName } from '../jobs/words.ts'
import { AsCode } from './as-code.tsx'
import { Beginnings } from './beginnings.tsx'
import classes from './builder.module.css'
import { add, find, remove, type Step } from './draft.ts'
import { FilesDialog } from './files-dialog.tsx'
import { ProblemList } from './problem-list.tsx'
import { problemsOf } from './problems.ts'
import { RunPanel } from './run-panel.tsx'
import { StepForm } from './step-form.tsx'
import { StepList } from './step-list.tsx'
import { TemplatesDrawer } from './templates-drawer.tsx'
import { Toolbar, type View } from './toolbar.tsx'
import { useBuilder } from './use-builder.ts'
import { useCatalog } from './use-catalog.ts'
import { useFromJob } from './use-from-job.ts'
import { useRun } from './use-run.ts'

const Canvas = lazy(async () => ({ default: (await import('./canvas.tsx')).Canvas }))

export function BuilderPage() {
  const all = useTexts()
  const texts = all.builder
  const builder = useBuilder()
  const { draft, selected, files } = builder
  const known = useCatalog(draft, files)
  const problems = useMemo(() => problemsOf(draft, known), [draft, known])
  const { start, job, states, sent } = useRun(builder)
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [chosen, setView] = useState<View>()
  const view = chosen ?? (narrow ? 'list' : 'canvas')
  const [asking, setAsking] = useState(false)
  const [keeping, setKeeping] = useState(false)
  const [tidied, setTidied] = useState(0)
  const loading = useFromJob(builder)

  const addStep = (operation: string) => {
    const { draft: next, id } = add(draft, operation, selected)
    builder.edit(() => next)
    builder.select(id)
  }
  const removeStep = (step: Step) => {
    builder.edit((now) => remove(now, step.id))
    builder.select(undefined)
    notifications.show({ message: texts.step.removed(step.name) })
  }
  const run = () => {
    const waits = draft.steps.some(({ id, operation }) => operation === 'import/upload' && !files.has(id))
    if (waits) return setAsking(true)
    setAsking(false)
    start.mutate()
  }
  const isBad = problems.some(({ mild }) => !mild)
  const step = selected === undefined ? undefined : find(draft, selected)
  const form = { builder, known, problems, onRemove: removeStep }
  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <Button variant="default" leftSection={<IconTemplate size={18} />} onClick={() => setKeeping(true)}>
            {texts.templates.open}
          </Button>
          <Button leftSection={<IconPlayerPlay size={18} />} disabled={isBad} loading={start.isPending} onClick={run}>
            {texts.run}
          </Button>
        </>
      }
    >
      <Toolbar
        builder={builder}
        view={view}
        onView={setView}
        operations={known.operations}
        onAdd={addStep}
        onTidy={() => setTidied(tidied + 1)}
      />
      {start.error && <ErrorBox error={start.error} />}
      {job && <RunPanel job={job} sent={sent} onClose={() => builder.setRun(undefined)} />}
      {loading ? (
        <Skeleton height={300} />
      ) : draft.steps.length === 0 ? (
        <Beginnings onUse={(next) => builder.edit(() => next)} />
      ) : view === 'list' ? (
        <StepList {...form} states={states} />
      ) : (
        <div className={classes.desk}>
          <Suspense fallback={<Skeleton height={560} />}>
            <Canvas builder={builder} problems={problems} states={states} tidied={tidied} />
          </Suspense>
          <Paper className={classes.side} tabIndex={-1}>
            {step ? (
              <section aria-label={texts.step.setUp(step.name)}>
                <Title order={2} mb="md">
                  {operationName(step.operation, all)}
                </Title>
                <StepForm key={step.id} step={step} {...form} />
              </section>
            ) : (
              <>
                <Text fw={600}>{texts.chooseStep}</Text>
                <Text size="sm" c="dimmed" mt="xs">
                  {texts.canvasHint}
                </Text>
              </>
            )}
          </Paper>
        </div>
      )}
      {draft.steps.length > 0 && (
        <>
          <ProblemList draft={draft} problems={problems} onSelect={builder.select} />
          <TextInput
            label={texts.tag}
            description={texts.tagHint}
            maw={420}
            maxLength={1000}
            value={draft.tag}
            onChange={({ currentTarget: { value } }) => builder.edit((now) => ({ ...now, tag: value }), true)}
          />
          <AsCode builder={builder} />
        </>
      )}
      {asking && <FilesDialog builder={builder} onRun={run} onClose={() => setAsking(false)} />}
      {keeping && <Keeping builder={builder} onClose={() => setKeeping(false)} />}
    </PageFrame>
  )
}

function Keeping({ builder, onClose }: { builder: ReturnType<typeof useBuilder>; onClose: () => void }) {
  const { user } = useSession()
  return (
    <TemplatesDrawer
      user={user?.id ?? ''}
      draft={builder.draft}
      onClose={onClose}
      onUse={(next) => {
        builder.edit(() => next)
        builder.select(undefined)
        onClose()
      }}
    />
  )
}
