/**
 * A real S3 server that checks signatures: OpenStack Swift on one node with its s3api, from Debian's packages. As root
 * and as an ordinary user; everything it writes is in a folder of its own.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePorts, missing, type Peer, startPeer } from './process.ts'

const SERVERS = ['account', 'container', 'object', 'proxy'] as const

export const noSwift = missing('Swift', ...SERVERS.map((name) => `/usr/bin/swift-${name}-server`), '/usr/bin/memcached')

export interface Swift {
  port: number
  endpoint: string
  /** An access that may do everything. */
  access: { region: string; endpoint: string; access_key_id: string; secret_access_key: string }
  /** A user of the same account without any right. */
  guest: { access_key_id: string; secret_access_key: string }
  /** Lists objects in a container that were never stored: what only looks at names needs no more. */
  pretend(container: string, names: readonly string[]): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const RINGS = `
import sys
from swift.common.ring import RingBuilder
for name, port in zip(('account', 'container', 'object'), map(int, sys.argv[2:])):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'weight': 1,
                     'replication_ip': '127.0.0.1', 'replication_port': port, 'meta': ''})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (sys.argv[1], name))
`

export async function startSwift(secret: string): Promise<Swift> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-swift-'))
  const [account, container, object, proxy, cache] = await freePorts(5)
  const ports: Record<string, number | undefined> = { account, container, object, proxy }
  await mkdir(join(dir, 'srv/d1'), { recursive: true })
  const hash = '[swift-hash]\nswift_hash_path_suffix = s\nswift_hash_path_prefix = p\n'
  await writeFile(join(dir, 'swift.conf'), `${hash}[storage-policy:0]\nname = gold\ndefault = yes\n`)
  for (const name of SERVERS) {
    const pipeline = name === 'proxy' ? PROXY(cache ?? 0, secret) : STORAGE(name)
    await writeFile(join(dir, `${name}.conf`), `${DEFAULT(dir, ports[name] ?? 0)}${pipeline}`)
  }
  const made = promisify(execFile)('/usr/bin/python3', ['-c', RINGS, dir, `${account}`, `${container}`, `${object}`])
  const peers: Peer[] = []
  const stop = async () => {
    await Promise.all(peers.map((peer) => peer.stop()))
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await made
    const memory = [
      '-l',
      '127.0.0.1',
      '-p',
      `${cache}`,
      '-m',
      '16',
      ...(process.getuid?.() === 0 ? ['-u', 'root'] : []),
    ]
    peers.push(startPeer('/usr/bin/memcached', memory))
    for (const name of SERVERS)
      peers.push(startPeer(`/usr/bin/swift-${name}-server`, [join(dir, `${name}.conf`)], { HOME: dir }))
    await Promise.all(SERVERS.map((name, index) => healthy(ports[name] ?? 0, name, peers[index + 1])))
  } catch (error) {
    await stop()
    throw error
  }
  const endpoint = `http://127.0.0.1:${proxy}`
  return {
    port: proxy ?? 0,
    endpoint,
    access: { region: 'us-east-1', endpoint, access_key_id: 'test:tester', secret_access_key: secret },
    guest: { access_key_id: 'test:guest', secret_access_key: `${secret}-guest` },
    async pretend(name, objects) {
      const body = JSON.stringify(
        objects.map((each, index) => ({
          name: each,
          created_at: `${1e9 + index}.00000`,
          size: 1,
          content_type: 'text/plain',
          etag: 'd41d8cd98f00b204e9800998ecf8427e',
          deleted: 0,
        })),
      )
      const headers = { 'x-timestamp': '2000000000.00000', 'x-backend-record-type': 'object' }
      // The proxy finds the partition in the first two bits of a hash; on one node all four are in the same place.
      for (const part of [0, 1, 2, 3]) {
        const url = `http://127.0.0.1:${container}/d1/${part}/AUTH_test/${name}`
        const answer = await fetch(url, { method: 'UPDATE', body, headers })
        if (answer.status === 202) return
      }
      throw new Error('the container took no list')
    },
    [Symbol.asyncDispose]: stop,
  }
}

async function healthy(port: number, name: string, peer: Peer | undefined): Promise<void> {
  const path = name === 'proxy' ? 'healthcheck' : 'recon/version'
  for (let tries = 0; tries < 600 && peer?.child.exitCode === null; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`).catch(() => null)
    await answer?.body?.cancel()
    if (answer) return
    await sleep(50)
  }
  throw new Error(`the ${name} server did not start: ${peer?.said()}`)
}

const DEFAULT = (dir: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${dir}
devices = ${dir}/srv
mount_check = false
workers = 0
log_address = /dev/null
disable_fallocate = true
`

const STORAGE = (name: string) => `[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`

const PROXY = (cache: number, secret: string) => `[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth slo copy proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${secret} .admin
user_test_guest = ${secret}-guest
[filter:slo]
use = egg:swift#slo
[filter:copy]
use = egg:swift#copy
`
