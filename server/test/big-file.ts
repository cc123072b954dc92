/** `node server/test/big-file.ts [GB]`: moves a file of 3 GB, or as many as given, in and out, and tells what it took. */
import { moveBigFile } from './support/big-file.ts'
import { startServer } from './support/server.ts'

const gigabytes = Number(process.argv[2] ?? 3)
const size = Math.floor(gigabytes * 1024 ** 3)
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`

await using server = await startServer({ env: { REFORGE_MAX_FILE_SIZE: String(size + 1) } })
const { status, grewUp, grewDown, identical } = await moveBigFile(server, size)
console.log(`${gigabytes} GB up: ${status}, memory grew by ${megabytes(grewUp)} (target: less than 100 MB)`)
console.log(`${gigabytes} GB down: ${identical ? 'identical' : 'DIFFERENT'}, memory grew by ${megabytes(grewDown)}`)
