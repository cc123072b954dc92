/** English texts of the page System. */
export const system = {
  title: 'System',
  lead: 'Whether all is well, at a glance.',
  states: {
    ok: { title: 'All is well', lead: 'Engines run in the sandbox, and there is room on the disk.' },
    unsafe: { title: 'Works, but unsafe', lead: 'Engines run without a sandbox.' },
    failing: { title: 'Something is wrong', lead: 'Conversions fail, or soon will. See below.' },
  },
  sandboxNone:
    'A file made to break an engine could do what the server may. Use this only with files you made yourself, or install bubblewrap and start without REFORGE_UNSAFE_NO_SANDBOX:',
  sandboxCommand: 'sudo apt-get install bubblewrap',
  live: 'Looks again every few seconds.',
  facts: {
    title: 'This server',
    version: 'Version',
    uptime: 'Runs for',
    sandbox: 'Sandbox',
    sandboxKinds: { none: 'None', elsewhere: 'On the workers' } as Record<string, string>,
    disk: 'Disk',
    diskFree: (free: string, total: string) => `${free} of ${total} free`,
    diskElsewhere: 'Files are in a storage',
    tasks: 'Tasks kept',
  },
  queue: {
    title: 'Queue',
    lanes: { io: 'Taking in and handing out', light: 'Short conversions', heavy: 'Long conversions' } as Record<
      string,
      string
    >,
    running: (count: number) => `${count.toLocaleString('en')} running`,
    waiting: (count: number) => `${count.toLocaleString('en')} waiting`,
    idle: 'Idle',
  },
  engines: {
    title: 'Engines',
    ready: (ready: number, all: number) => `${ready} of ${all} ready`,
    missing: 'Missing',
    lacks: (programs: string) => `lacks ${programs}`,
    brings: 'This brings what is missing. Start the server again afterwards.',
    here: 'Ready',
  },
  lately: {
    since: (moment: string) => `Since ${moment}, of all users.`,
    failures: 'Failures by engine',
    noFailures: (tasks: number) =>
      tasks === 0 ? 'Nothing ran yet.' : `None of ${tasks.toLocaleString('en')} tasks failed.`,
    some: (failed: number, tasks: number) =>
      `${failed.toLocaleString('en')} of ${tasks.toLocaleString('en')} tasks failed.`,
    slowest: 'Slowest conversions',
    noSlowest: 'Nothing was converted yet.',
    noEngine: 'No engine',
    after: ', then ',
    engine: 'Engine',
    operation: 'Operation',
    failed: 'Failed',
    of: 'Of',
    tasks: 'Tasks',
    rate: 'Share',
    conversion: 'Conversion',
    average: 'On average',
  },
  nodes: {
    title: 'Machines',
    roles: { all: 'Requests and tasks', api: 'Requests', worker: 'Tasks' } as Record<string, string>,
    engines: (count: number) => (count === 1 ? '1 engine' : `${count} engines`),
    seen: 'Seen',
    up: 'Up since',
    version: (version: string) => `Version ${version}`,
  },
}
