/** reforge webhooks: who is told of jobs, and what was told. */
import type { Argument, Command, Context } from '../command.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { EVENTS } from '../flags.ts'
import { didYouMean } from '../nearest.ts'
import { show } from '../records.ts'
import { ago } from '../words.ts'

const SOME = '6650c0ffee0123456789abcd'
const ID: readonly Argument[] = [{ name: 'ID', word: 'webhook' }]
/** How long the answer to a test is waited for. */
const PATIENCE = 15_000

function readEvents(text: string | undefined) {
  if (text === undefined) return undefined
  return text.split(',').map((each) => {
    const event = EVENTS.find((known) => known === each.trim())
    if (!event)
      throw new UsageError(`There is no event "${each}".${didYouMean(each, EVENTS)} There are: ${EVENTS.join(', ')}.`)
    return event
  })
}

async function list({ reforge, out, err, values }: Context): Promise<number> {
  const { docs } = await (await reforge()).webhooks.list()
  show({ out, values }, docs, ({ id, url, events, enabled, reason }) => [
    id,
    enabled ? 'on' : 'off',
    clean(url),
    events.join(','),
    clean(reason ?? ''),
  ])
  if (out.isTTY && docs.length === 0)
    err.write('None yet. For example: reforge webhooks create https://example.org/hook\n')
  return EXIT.ok
}

async function create({ names: [url = ''], reforge, out, err, values }: Context): Promise<number> {
  const events = readEvents(values.events)
  const made = await (await reforge()).webhooks.create({ url, ...(events && { events }) })
  out.write(values.json ? `${JSON.stringify(made)}\n` : `${made.id}\t${made.secret}\n`)
  if (out.isTTY && !values.json)
    err.write('Its id, and the secret that signs what is sent: shown this once; keep it.\n')
  return EXIT.ok
}

async function remove({ names, reforge, out, values }: Context): Promise<number> {
  const { webhooks } = await reforge()
  for (const id of names) {
    await webhooks.delete(id)
    out.write(values.json ? `${JSON.stringify({ id, deleted: true })}\n` : `${clean(id)}\n`)
  }
  return EXIT.ok
}

/** Sent, and waited for: whether it arrives is what a test is for. */
async function test({ names: [id = ''], reforge, out, err, values, signal }: Context): Promise<number> {
  const { webhooks } = await reforge()
  const sent = await webhooks.test(id)
  const until = Date.now() + PATIENCE
  let now = await webhooks.delivery(sent.id)
  while (now.log.length === 0 && Date.now() < until && !signal.aborted) {
    await new Promise((done) => setTimeout(done, 150))
    now = await webhooks.delivery(sent.id)
  }
  const last = now.log.at(-1)
  const delivered = now.status === 'delivered'
  const answer = last ? `${last.status ?? 'no answer'}  ${clean(last.answer)}`.trim() : 'no answer yet'
  if (values.json) out.write(`${JSON.stringify(now)}\n`)
  else if (delivered) out.write(`delivered\t${answer}\n`)
  else err.write(`It did not arrive: ${answer}\n`)
  return delivered ? EXIT.ok : EXIT.failed
}

async function deliveries({ names: [id], reforge, out, values }: Context): Promise<number> {
  const { docs } = await (await reforge()).webhooks.deliveries(id)
  show({ out, values }, docs, (each) => [
    each.id,
    each.status,
    each.event,
    each.job ?? '',
    ago(Date.now() - Date.parse(each.createdAt)),
    clean(each.url),
  ])
  return EXIT.ok
}

export const webhooks: Command = {
  summary: 'List, register, try or remove webhooks, and see what they were told.',
  examples: [
    ['reforge webhooks', 'yours'],
    ['reforge webhooks create https://example.org/hook --events job.success,job.failed', 'be told of ends'],
  ],
  verbs: {
    list: { summary: 'List your webhooks.', examples: [['reforge webhooks list', 'yours']], run: list },
    create: {
      summary: 'Register a webhook; prints its id and its secret.',
      takes: [{ name: 'URL', word: 'address' }],
      flags: ['events'],
      examples: [['reforge webhooks create https://example.org/hook', 'told of everything']],
      run: create,
    },
    delete: {
      summary: 'Remove webhooks.',
      takes: [{ name: 'ID', word: 'webhook', many: true }],
      examples: [[`reforge webhooks delete ${SOME}`, 'one']],
      run: remove,
    },
    test: {
      summary: 'Send a test to a webhook and tell how it answered.',
      takes: ID,
      examples: [[`reforge webhooks test ${SOME}`, 'does it arrive?']],
      run: test,
    },
    deliveries: {
      summary: 'List what was told, or is to be; of one webhook or all.',
      takes: [{ name: 'ID', word: 'webhook', optional: true }],
      examples: [['reforge webhooks deliveries', 'of all']],
      run: deliveries,
    },
  },
  run: list,
}
