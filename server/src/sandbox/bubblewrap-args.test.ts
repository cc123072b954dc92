import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BubblewrapSpec, bubblewrapArgs, type Identity, insideCommand } from './bubblewrap-args.ts'
import { RUN_LIMITS } from './limits.ts'

const ground = { shown: ['/usr', '/etc/fonts'], links: { '/bin': 'usr/bin' } }
const spec: BubblewrapSpec = { env: {}, profile: 'strict', limits: { tmp: 1000 } }
const user: Identity = { by: 'namespace' }
const root: Identity = { by: 'root', uid: 60_600 }
const args = (more: Partial<BubblewrapSpec>, identity: Identity = user): string =>
  ` ${bubblewrapArgs({ ...spec, ...more }, identity, ground, { seccomp: 3, info: 5, start: 6 }).join(' ')} `

const TABLE: readonly [rule: string, text: string, has: readonly string[], hasNot: readonly string[]][] = [
  [
    'An ordinary user becomes nobody in a namespace that allows no further ones',
    args({}),
    ['--unshare-user --uid 65534 --gid 65534 --cap-drop ALL', '--disable-userns', '--unshare-net', '--unshare-pid'],
    ['--cap-add'],
  ],
  ['A browser may make namespaces', args({ profile: 'browser' }), ['--unshare-user'], ['--disable-userns']],
  [
    'Root makes no user namespace and keeps what it needs to step down',
    args({}, root),
    ['--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID', '--unshare-net', '--unshare-pid', '--unshare-ipc'],
    ['--unshare-user', '--uid', '--disable-userns'],
  ],
  [
    'Everything ends with the server, and nothing of its environment or terminal is kept',
    args({ env: { A: 'b' } }),
    [
      '--new-session --die-with-parent --clearenv',
      '--setenv A b',
      '--setenv PATH /usr/bin:/bin',
      '--seccomp 3 --info-fd 5 --block-fd 6',
    ],
    [],
  ],
  ['A variable given replaces ours', args({ env: { LANG: 'de' } }), ['--setenv LANG de'], ['C.UTF-8']],
  [
    'The system is read-only, /dev and / are closed again, memory folders have a size',
    args({}),
    [
      '--ro-bind /usr /usr --ro-bind /etc/fonts /etc/fonts --symlink usr/bin /bin',
      '--perms 1777 --size 67108864 --tmpfs /dev/shm --remount-ro /dev',
      '--perms 1777 --size 1000 --tmpfs /tmp',
      '--remount-ro / --chdir /work',
    ],
    ['--bind ', '--dev-bind'],
  ],
  ['Without a work folder there is an empty one', args({}), ['--perms 0555 --dir /work'], ['--bind ']],
  ['The work folder is the only one to write in', args({ work: '/t/1' }), ['--bind /t/1 /work'], ['0555']],
  [
    'What lies in another folder is bound after it, below folders that can be entered',
    args({ work: '/t/1', readOnly: { '/work/in/a': '/b/a', '/in': '/b' }, writable: { '/opt/x/y': '/c' } }),
    [
      '--bind /t/1 /work --ro-bind /b /in --perms 0755 --dir /opt --perms 0755 --dir /opt/x --bind /c /opt/x/y',
      '--perms 0755 --dir /work/in --ro-bind /b/a /work/in/a --remount-ro /',
    ],
    ['--dir /work '],
  ],
]

for (const [rule, text, has, hasNot] of TABLE) {
  test(rule, () => {
    for (const part of has) assert.ok(text.includes(` ${part} `), `${part}\nis not in\n${text}`)
    for (const part of hasNot) assert.ok(!text.includes(part), `${part}\nis in\n${text}`)
  })
}

test('Limits are taken on inside the box, after root has stepped down', () => {
  const limits =
    '/usr/bin/prlimit --cpu=60:61 --as=4294967296:4294967296 --fsize=1073741824:1073741824 --nproc=128:128 --nofile=1024:1024 --core=0:0 --'
  assert.equal(insideCommand(['/bin/x', '-y'], user, RUN_LIMITS).join(' '), `${limits} /bin/x -y`)
  const stepDown = '/usr/bin/setpriv --reuid 60600 --regid 60600 --clear-groups --inh-caps=-all --'
  assert.equal(insideCommand(['/bin/x'], root, RUN_LIMITS).join(' '), `${stepDown} ${limits} /bin/x`)
})

test('No limit is written as unlimited, a part of a second of CPU as a whole one', () => {
  const [, cpu, space] = insideCommand(['x'], user, { ...RUN_LIMITS, cpu: Infinity, addressSpace: null })
  assert.deepEqual([cpu, space], ['--cpu=unlimited:unlimited', '--as=unlimited:unlimited'])
  assert.equal(insideCommand(['x'], user, { ...RUN_LIMITS, cpu: 0.2 })[1], '--cpu=1:2')
})
