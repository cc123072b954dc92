/**
 * Loaded into every test file's process: ends it when it does not end by itself, and says what kept it. Node's own
 * time-out is for single tests; a server or a timer left open would keep the file, and the whole run, for ever.
 */
const MINUTES = process.env.REFORGE_TEST_WHOLE ? 120 : 15

if (process.env.NODE_TEST_CONTEXT === 'child-v8') {
  const giveUp = () => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ')
    process.stderr.write(`This file did not end within ${MINUTES} minutes. Still open: ${open}.\n`, () =>
      process.exit(1),
    )
  }
  setTimeout(giveUp, MINUTES * 60_000).unref()
}
