import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SeccompArch, type SeccompProfile, seccompProgram } from './seccomp.ts'
import { NEVER_CALLS, NUMBERS, type SyscallName } from './syscalls.ts'

const AUDIT: Record<SeccompArch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const CLONE_NEWUSER = 0x10000000
const CLONE_THREAD_FLAGS = 0x003d0f00
const SOCK_CLOEXEC = 0x80000

const numberOf = (name: SyscallName, arch: SeccompArch): number | null => NUMBERS[name][arch === 'x64' ? 0 : 1]

/** Runs a classic BPF program over struct seccomp_data, as the kernel would. */
function verdict(program: Buffer, arch: number, number: number, args: readonly number[] = []): string {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(arch, 4)
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index)
  let accumulator = 0
  for (let at = 0; ; at++) {
    const code = program.readUInt16LE(at * 8)
    const [yes, no] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)]
    const k = program.readUInt32LE(at * 8 + 4)
    if (code === 0x20) accumulator = data.readUInt32LE(k)
    else if (code === 0x54) accumulator = (accumulator & k) >>> 0
    else if (code === 0x15) at += accumulator === k ? yes : no
    else if (code === 0x35) at += accumulator >= k ? yes : no
    else if (code === 0x45) at += (accumulator & k) !== 0 ? yes : no
    else if (code === 0x06) return k === 0x7fff0000 ? 'allow' : k === 0x80000000 ? 'kill' : `errno ${k & 0xffff}`
    else throw new Error(`unknown instruction ${code}`)
  }
}

const PROFILES: readonly SeccompProfile[] = ['strict', 'browser', 'landlock']
const ARCHS: readonly SeccompArch[] = ['x64', 'arm64']

const TABLE: readonly [call: SyscallName, args: readonly number[], Record<SeccompProfile, string>][] = [
  ['clone', [CLONE_NEWUSER], { strict: 'errno 1', browser: 'allow', landlock: 'errno 1' }],
  ['clone', [CLONE_THREAD_FLAGS], { strict: 'allow', browser: 'allow', landlock: 'allow' }],
  ['clone3', [], { strict: 'errno 38', browser: 'allow', landlock: 'errno 38' }],
  ['unshare', [CLONE_NEWUSER], { strict: 'errno 1', browser: 'allow', landlock: 'errno 1' }],
  ['chroot', [], { strict: 'errno 1', browser: 'allow', landlock: 'errno 1' }],
  ['setns', [], { strict: 'errno 1', browser: 'errno 1', landlock: 'errno 1' }],
  ['socket', [1, 1], { strict: 'allow', browser: 'allow', landlock: 'allow' }],
  ['socket', [1, 1 | SOCK_CLOEXEC], { strict: 'allow', browser: 'allow', landlock: 'allow' }],
  ['socket', [1, 2], { strict: 'allow', browser: 'allow', landlock: 'errno 97' }],
  ['socket', [2, 1], { strict: 'allow', browser: 'allow', landlock: 'errno 97' }],
  ['socket', [10, 1], { strict: 'allow', browser: 'allow', landlock: 'errno 97' }],
  ['socket', [16, 3], { strict: 'errno 97', browser: 'allow', landlock: 'errno 97' }],
  ['socket', [17, 3], { strict: 'errno 97', browser: 'errno 97', landlock: 'errno 97' }],
  ['socket', [38, 5], { strict: 'errno 97', browser: 'errno 97', landlock: 'errno 97' }],
  ['connect', [3], { strict: 'allow', browser: 'allow', landlock: 'errno 111' }],
  ['ioctl', [0, 0x5412], { strict: 'errno 1', browser: 'errno 1', landlock: 'errno 1' }],
  ['ioctl', [0, 0x541c], { strict: 'errno 1', browser: 'errno 1', landlock: 'errno 1' }],
  ['ioctl', [0, 0x1_0000_5412], { strict: 'errno 1', browser: 'errno 1', landlock: 'errno 1' }],
  ['ioctl', [0, 0x5401], { strict: 'allow', browser: 'allow', landlock: 'allow' }],
  ['setsid', [], { strict: 'allow', browser: 'allow', landlock: 'errno 0' }],
  ['setpgid', [], { strict: 'allow', browser: 'allow', landlock: 'errno 0' }],
  ['fchmodat', [], { strict: 'allow', browser: 'allow', landlock: 'errno 0' }],
  ['truncate', [], { strict: 'allow', browser: 'allow', landlock: 'errno 1' }],
  ['prlimit64', [0], { strict: 'allow', browser: 'allow', landlock: 'allow' }],
  ['prlimit64', [1234], { strict: 'allow', browser: 'allow', landlock: 'errno 1' }],
]

for (const arch of ARCHS) {
  for (const profile of PROFILES) {
    const program = seccompProgram(arch, profile)

    test(`The ${profile} filter for ${arch} answers every call of the table as it should`, () => {
      for (const [call, args, wanted] of TABLE) {
        const number = numberOf(call, arch)
        assert.ok(number !== null)
        assert.equal(verdict(program, AUDIT[arch], number, args), wanted[profile], `${call}(${args.join(', ')})`)
      }
    })

    test(`The ${profile} filter for ${arch} refuses what no engine needs and allows reading, writing and starting`, () => {
      for (const call of NEVER_CALLS) {
        const number = numberOf(call, arch)
        if (number !== null) assert.equal(verdict(program, AUDIT[arch], number), 'errno 1', call)
      }
      for (const number of arch === 'x64' ? [0, 1, 59, 257, 9, 202] : [63, 64, 221, 56, 222, 98]) {
        assert.equal(verdict(program, AUDIT[arch], number), 'allow', String(number))
      }
    })

    test(`The ${profile} filter for ${arch} kills a program of another architecture`, () => {
      assert.equal(verdict(program, arch === 'x64' ? AUDIT.arm64 : AUDIT.x64, 0), 'kill')
      assert.equal(verdict(program, 0x40000003, 0), 'kill')
    })
  }
}

test('On x64 the x32 numbers, which would slip past the list, kill', () => {
  for (const profile of PROFILES) {
    const program = seccompProgram('x64', profile)
    assert.equal(verdict(program, AUDIT.x64, 0x40000000 + 101), 'kill')
    assert.equal(verdict(program, AUDIT.x64, 0x40000000), 'kill')
  }
})

test('No program is longer than the kernel takes', () => {
  for (const arch of ARCHS) {
    for (const profile of PROFILES) assert.ok(seccompProgram(arch, profile).length / 8 <= 4096)
  }
})
