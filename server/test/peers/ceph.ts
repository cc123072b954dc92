/**
 * A second real S3 server, which takes forms and lifecycle rules: Ceph's gateway on one monitor and one store in memory,
 * from Debian's packages. As root and as an ordinary user; everything it writes is in a folder of its own.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts, listening, type Peer, startPeer } from './process.ts'
import type { Swift } from './swift.ts'

const PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd']

/** Our setup does not bring it: 200 MB for forms and rules, the rest Swift shows as well. */
export const noCeph =
  !PACKAGES.every((name) => existsSync(`/usr/bin/${name}`)) &&
  `Ceph is not installed here: apt-get install --no-install-recommends ${PACKAGES.join(' ')} brings it`

export async function startCeph(
  secret: string,
): Promise<Pick<Swift, 'port' | 'endpoint' | 'access'> & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-ceph-'))
  const [monitor = 0, port = 0] = await freePorts(2)
  const cluster = randomUUID()
  const store = randomUUID()
  const conf = ['-c', join(dir, 'ceph.conf')]
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(`/usr/bin/${program}`, args, { timeout: 60_000 })
  const peers: Peer[] = []
  const start = (program: string, ...args: string[]) => {
    const peer = startPeer(`/usr/bin/${program}`, [...conf, '-f', ...args])
    peers.push(peer)
    return peer
  }
  const stop = async () => {
    await Promise.all(peers.map((peer) => peer.stop()))
    await rm(dir, { recursive: true, force: true })
  }
  const access = { region: 'us-east-1', access_key_id: 'reforge', secret_access_key: secret }
  try {
    for (const name of ['mon', 'osd']) await mkdir(join(dir, name))
    await writeFile(join(dir, 'ceph.conf'), CONF(dir, cluster, monitor, port))
    await writeFile(join(dir, 'keyring'), '')
    const map = join(dir, 'monmap')
    await run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, map)
    await run('ceph-mon', ...conf, '-i', 'a', '--mkfs', '--monmap', map)
    await listening(monitor, start('ceph-mon', '-i', 'a'))
    await run('ceph', ...conf, 'osd', 'new', store)
    await run('ceph-osd', ...conf, '-i', '0', '--mkfs', '--osd-uuid', store)
    start('ceph-osd', '-i', '0')
    const keys = ['--access-key', access.access_key_id, '--secret', secret]
    await run('radosgw-admin', ...conf, 'user', 'create', '--uid', 'reforge', '--display-name', 'Reforge', ...keys)
    await listening(port, start('radosgw', '-n', 'client.rgw'))
  } catch (error) {
    const said = peers.map((peer) => peer.said()).join('\n')
    await stop()
    throw new Error(`Ceph did not start: ${said}`, { cause: error })
  }
  const endpoint = `http://127.0.0.1:${port}`
  return { port, endpoint, access: { ...access, endpoint }, [Symbol.asyncDispose]: stop }
}

// The intervals are what makes the start a matter of seconds.
const CONF = (dir: string, cluster: string, monitor: number, port: number) => `[global]
fsid = ${cluster}
mon host = v2:127.0.0.1:${monitor}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms mon client mode = crc
auth cluster required = none
auth service required = none
auth client required = none
keyring = ${dir}/keyring
run dir = ${dir}
crash dir = ${dir}
log file = /dev/null
admin socket =
paxos propose interval = 0.02
paxos min wait = 0.01
objecter tick interval = 0.3
mon allow pool size one = true
mon max pg per osd = 1000
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
[mon.a]
mon data = ${dir}/mon
[osd]
osd objectstore = memstore
osd data = ${dir}/osd
osd class load list = *
osd class default list = *
[client]
rgw data = ${dir}
rgw frontends = beast endpoint=127.0.0.1:${port}
`
