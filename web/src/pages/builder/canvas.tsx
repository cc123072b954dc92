/** The draft as a graph to draw in. The library comes with this file, so it is fetched only where it is needed. */
import {
  applyEdgeChanges,
  applyNodeChanges,
  Background,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useMantineColorScheme } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import graph from '../../graph/job-graph.module.css'
import { iconOf, kindOf } from '../../graph/kinds.ts'
import { layersOf } from '../../graph/layers.ts'
import { StatusMark } from '../../graph/status-mark.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { operationName } from '../jobs/words.ts'
import classes from './builder.module.css'
import { connect, type Draft, disconnect, find, mayConnect, remove, type Step } from './draft.ts'
import type { Problem } from './problems.ts'
import type { Builder } from './use-builder.ts'
import type { States } from './use-run.ts'

const WIDTH = 188
const HEIGHT = 68

type StepNode = Node<{ step: Step; status: ReturnType<States['get']>; bad: boolean }, 'step'>

interface CanvasProps {
  builder: Builder
  problems: readonly Problem[]
  states: States
  /** Changes when everything is to be put in order. */
  tidied: number
}

export const Canvas = (props: CanvasProps) => (
  <ReactFlowProvider>
    <Flow {...props} />
  </ReactFlowProvider>
)

const placeOf = (draft: Draft, id: string) => {
  const { column, row } = layersOf(draft.steps).get(id) ?? { column: 0, row: 0 }
  return { x: column * (WIDTH + 60), y: row * (HEIGHT + 24) }
}

/** Two boxes in one place would hide each other: a new one goes below. */
function freePlace(draft: Draft, id: string, nodes: readonly StepNode[]) {
  const place = placeOf(draft, id)
  const covers = ({ position }: StepNode) =>
    Math.abs(position.x - place.x) < WIDTH && Math.abs(position.y - place.y) < HEIGHT
  while (nodes.some(covers)) place.y += HEIGHT + 24
  return place
}

const edgesOf = ({ steps }: Draft): Edge[] =>
  steps.flatMap(({ id, inputs }) =>
    inputs
      .filter((input) => steps.some((step) => step.id === input))
      .map((input) => ({ id: `${input}>${id}`, source: input, target: id })),
  )

interface Looks {
  problems: readonly Problem[]
  states: States
  selected: string | undefined
}

/** What is there stays where it was put; what is new gets a free place. */
function nodesOf(draft: Draft, old: readonly StepNode[], { problems, states, selected }: Looks): StepNode[] {
  const kept = old.filter(({ id }) => find(draft, id))
  const made: StepNode[] = []
  for (const step of draft.steps) {
    const bad = problems.some((problem) => problem.step === step.id && !problem.mild)
    const looks = { data: { step, status: states.get(step.name), bad }, selected: step.id === selected }
    const before = kept.find(({ id }) => id === step.id)
    const position = before?.position ?? freePlace(draft, step.id, [...kept, ...made])
    made.push({ ...before, id: step.id, type: 'step', position, ...looks })
  }
  return made
}

function Flow({ builder, problems, states, tidied }: CanvasProps) {
  const texts = useTexts().builder
  const { draft, selected, select, edit } = builder
  const { colorScheme } = useMantineColorScheme()
  const { fitView } = useReactFlow()
  const [nodes, setNodes] = useState<StepNode[]>([])
  const [edges, setEdges] = useState<Edge[]>([])

  useEffect(() => {
    setNodes((old) => nodesOf(draft, old, { problems, states, selected }))
    setEdges((old) => edgesOf(draft).map((edge) => old.find(({ id }) => id === edge.id) ?? edge))
  }, [draft, problems, states, selected])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is asked for
  useEffect(() => {
    setNodes((old) => old.map((node) => ({ ...node, position: placeOf(draft, node.id) })))
    requestAnimationFrame(() => void fitView({ maxZoom: 1, padding: 0.15 }))
  }, [tidied])

  // biome-ignore lint/correctness/useExhaustiveDependencies: when there are more or fewer steps, all of them are to be seen
  useEffect(() => {
    requestAnimationFrame(() => void fitView({ maxZoom: 1, padding: 0.15 }))
  }, [draft.steps.length])

  return (
    <section className={classes.canvas} aria-label={texts.canvas}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={colorScheme === 'auto' ? 'system' : colorScheme}
        // Removals are taken whole by onDelete: a step goes with its lines, and comes back with them.
        onNodesChange={(changes) => {
          for (const each of changes) if (each.type === 'select' && each.selected) select(each.id)
          const kept = changes.filter(({ type }) => type !== 'remove')
          setNodes((old) => applyNodeChanges(kept, old))
        }}
        onEdgesChange={(changes) => {
          const kept = changes.filter(({ type }) => type !== 'remove')
          setEdges((old) => applyEdgeChanges(kept, old))
        }}
        onDelete={(gone) => {
          edit((now) => {
            const cut = gone.edges.reduce((draft, { source, target }) => disconnect(draft, source, target), now)
            return gone.nodes.reduce((draft, { id }) => remove(draft, id), cut)
          })
          if (gone.nodes.length > 0) select(undefined)
        }}
        onConnect={({ source, target }) => edit((now) => connect(now, source, target))}
        isValidConnection={({ source, target }) => mayConnect(draft, source, target)}
        deleteKeyCode={['Delete', 'Backspace']}
        connectionRadius={40}
        minZoom={0.3}
        maxZoom={1.5}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        preventScrolling={false}
        zoomOnScroll={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

function StepBox({ data: { step, status, bad }, selected }: NodeProps<StepNode>) {
  const texts = useTexts()
  const Icon = iconOf(step.operation)
  const kind = kindOf(step.operation)
  return (
    <div
      className={classes.node}
      data-status={status?.status ?? (bad ? 'bad' : 'ready')}
      data-chosen={selected || undefined}
    >
      {kind !== 'import' && <Handle type="target" position={Position.Left} className={classes.handle} />}
      <Icon size={20} stroke={1.6} className={graph.icon} aria-hidden="true" />
      <span className={graph.words}>
        <span className={graph.name}>{step.name}</span>
        <span className={graph.operation}>
          {status?.status === 'processing' && status.percent !== undefined
            ? texts.jobs.task.percent(status.percent)
            : operationName(step.operation, texts)}
        </span>
      </span>
      {status && <StatusMark status={status.status} quiet />}
      {!status && bad && <IconAlertTriangle size={18} color="var(--mantine-color-red-text)" aria-hidden="true" />}
      {kind !== 'export' && <Handle type="source" position={Position.Right} className={classes.handle} />}
    </div>
  )
}

const NODE_TYPES = { step: StepBox }
