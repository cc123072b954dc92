import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type GroupPlace, groupPlaces, openMemoryGroups } from './memory-group.ts'

const V1 = '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory'
const V2 = '31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate'

const TABLE: readonly [where: string, cgroup: string, mountinfo: string, wanted: readonly GroupPlace[]][] = [
  ['version 2', '0::/a.slice/b', V2, [{ version: 2, dir: '/sys/fs/cgroup/a.slice/b' }]],
  ['version 2 in a container', '0::/', V2, [{ version: 2, dir: '/sys/fs/cgroup' }]],
  ['version 1', '4:memory:/x/y\n1:cpu:/', V1, [{ version: 1, dir: '/sys/fs/cgroup/memory/x/y' }]],
  [
    'both, version 2 first',
    '4:memory:/x\n0::/z',
    `${V1}\n${V2}`,
    [
      { version: 2, dir: '/sys/fs/cgroup/z' },
      { version: 1, dir: '/sys/fs/cgroup/memory/x' },
    ],
  ],
  [
    'a container that shows its own part of the tree',
    '4:memory:/docker/abc/inner',
    '35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory',
    [{ version: 1, dir: '/sys/fs/cgroup/memory/inner' }],
  ],
  ['none mounted', '0::/', '1 0 8:1 / / rw - ext4 /dev/sda1 rw', []],
]

for (const [where, cgroup, mountinfo, wanted] of TABLE) {
  test(`The group of this process is found: ${where}`, () => assert.deepEqual(groupPlaces(cgroup, mountinfo), wanted))
}

test('Where no group can be made there are none, and a version 2 without memory is passed over', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-group-'))
  await writeFile(join(dir, 'cgroup.controllers'), 'cpu pids')
  assert.equal(
    openMemoryGroups([
      { version: 2, dir },
      { version: 1, dir: '/proc/no/such/place' },
    ]),
    null,
  )
  assert.equal(await readFile(join(dir, 'cgroup.controllers'), 'utf8'), 'cpu pids')
  await rm(dir, { recursive: true })
})
