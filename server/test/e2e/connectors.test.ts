/** "From anywhere to anywhere": every storage in both directions, against real peers, on one server. */
import { after, describe } from 'node:test'
import { blobstoreSuite } from '../connectors/blobstore.ts'
import { openField } from '../connectors/field.ts'
import { journeySuite, progressSuite } from '../connectors/journey.ts'
import { objstoreASuite } from '../connectors/objstore-a.ts'
import { objstoreBSuite } from '../connectors/objstore-b.ts'
import { secretsSuite } from '../connectors/secrets.ts'
import { sftpSuite } from '../connectors/sftp.ts'

const field = await openField()
after(() => field[Symbol.asyncDispose]())

// They mostly wait, each for its own peer.
describe('storages', { concurrency: 4 }, () => {
  objstoreASuite(field)
  objstoreBSuite(field)
  blobstoreSuite(field)
  sftpSuite(field)
})
progressSuite(field)
journeySuite(field)
// Last: it looks for what the others have left.
secretsSuite(field)
