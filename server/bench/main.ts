/**
 * `npm run bench [-- --quick]`: figures and, above all, ratios, all taken in one run: what the service adds to the work
 * itself, and whether it stays as quick when it holds a thousand times as much. Judges nothing by its exit code.
 */
import { startServer } from '../test/support/server.ts'
import { tempDir } from '../test/support/temp-dir.ts'
import { accepting } from './accept.ts'
import { boxing } from './box.ts'
import { browsing } from './browser.ts'
import { createCaller } from './caller.ts'
import { clusterRecords } from './cluster-records.ts'
import { clusterWorkers } from './cluster-workers.ts'
import { converting } from './convert.ts'
import { playing } from './media.ts'
import { limiting } from './metering.ts'
import { officing } from './office.ts'
import { pairing } from './pairs.ts'
import { photographing } from './photos.ts'
import { print } from './report.ts'
import { storing } from './store.ts'

const quick = process.argv.includes('--quick')
const only = process.argv.slice(2).find((arg) => !arg.startsWith('--'))
const wanted = (name: string): boolean => only === undefined || only === name

const folder = await tempDir()
try {
  await using server = await startServer()
  const caller = createCaller(server, 16)
  if (wanted('convert')) print('Conversions', await converting(caller, quick))
  if (wanted('pairs')) print('The commonest conversions', await pairing(caller, folder.path, quick))
  if (wanted('photos')) print('Photographs of 12 megapixels', await photographing(caller, folder.path, quick))
  if (wanted('media')) print('Sound and moving pictures', await playing(caller, server.pid, folder.path, quick))
  if (wanted('accept')) print('Accepting jobs', await accepting(caller, server.data, quick))
  if (wanted('metering')) print('Metering and limits', await limiting(server, quick))
  if (wanted('office')) print('Documents', await officing(caller, server.pid, `${folder.path}/office`, quick))
  if (wanted('browser')) print('Pages', await browsing(caller, folder.path, quick))
  await caller.close()
  if (wanted('box')) print('Sandbox', await boxing(folder.path, quick))
  await server.stop()
  if (wanted('cluster')) print('Records and queue of many machines', await clusterRecords(quick))
  if (wanted('cluster')) print('Workers', await clusterWorkers(quick))
  if (wanted('store')) print('Store', await storing(folder.path, quick))
} finally {
  await folder.remove()
}
