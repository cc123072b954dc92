/**
 * Makes the seccomp program (classic BPF, 8 bytes an instruction) that narrows the system calls of a box. Pure: bytes out,
 * nothing read and nothing loaded here.
 */
import { METADATA_CALLS, NEVER_CALLS, NUMBERS, PROCESS_CALLS, type SyscallName } from './syscalls.ts'

export type SeccompArch = 'x64' | 'arm64'

/** `landlock` is `strict` for a box without namespaces: there the filter alone stands before network, sockets and signals. */
export type SeccompProfile = 'strict' | 'browser' | 'landlock'

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number]

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
const AND = 0x54
const RETURN = 0x06

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const errno = (number: number): number => 0x00050000 | number
const PRETEND = errno(0)
const EPERM = errno(1)
const ENOSYS = errno(38)
const EAFNOSUPPORT = errno(97)
const ECONNREFUSED = errno(111)

// Offsets into struct seccomp_data; of an argument the low half, the high half means nothing to the calls looked at.
const NUMBER = 0
const ARCH = 4
const argument = (index: number): number => 16 + 8 * index

const AUDIT_ARCH: Record<SeccompArch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const X32_BIT = 0x40000000
/** NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACE_FLAGS = 0x7e020000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const UNIX = 1
const INET = 2
const INET6 = 10
const NETLINK = 16
const STREAM = 1
const TYPE_MASK = 0xf

const load = (offset: number): Instruction => [LOAD, 0, 0, offset]
const answer = (verdict: number): Instruction => [RETURN, 0, 0, verdict]
const isNot = (value: number, skip: number): Instruction => [JUMP_EQUAL, 0, skip, value]

export function seccompProgram(arch: SeccompArch, profile: SeccompProfile): Buffer {
  const when = (name: SyscallName, body: readonly Instruction[]): Instruction[] => {
    const number = NUMBERS[name][arch === 'x64' ? 0 : 1]
    return number === null ? [] : [isNot(number, body.length), ...body]
  }
  const refuse = (names: readonly SyscallName[], verdict: number): Instruction[] =>
    names.flatMap((name) => when(name, [answer(verdict)]))

  return assemble([
    // A program of another architecture would have other call numbers.
    load(ARCH),
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH[arch]],
    answer(KILL),
    load(NUMBER),
    ...(arch === 'x64' ? [[JUMP_AT_LEAST, 0, 1, X32_BIT] as const, answer(KILL)] : []),
    ...refuse(NEVER_CALLS, EPERM),
    // Chromium's own sandbox makes user namespaces and changes its root.
    ...(profile === 'browser' ? [] : refuse(['unshare', 'chroot'], EPERM)),
    ...(profile === 'browser' ? [] : namespaces(when)),
    ...(profile === 'landlock' ? unboxed(when, refuse) : when('socket', families(profile))),
    ...when('ioctl', [
      load(argument(1)),
      [JUMP_EQUAL, 1, 0, TIOCSTI],
      isNot(TIOCLINUX, 1),
      answer(EPERM),
      answer(ALLOW),
    ]),
    answer(ALLOW),
  ])
}

type When = (name: SyscallName, body: readonly Instruction[]) => Instruction[]

function namespaces(when: When): Instruction[] {
  return [
    // clone3 hides its flags behind a pointer; told that it does not exist, the C library takes clone.
    ...when('clone3', [answer(ENOSYS)]),
    ...when('clone', [load(argument(0)), [JUMP_ANY_BIT, 0, 1, NAMESPACE_FLAGS], answer(EPERM), answer(ALLOW)]),
  ]
}

function families(profile: SeccompProfile): Instruction[] {
  const allowed = profile === 'browser' ? [UNIX, INET, INET6, NETLINK] : [UNIX, INET, INET6]
  return [load(argument(0)), ...allowed.flatMap((family) => [isNot(family, 1), answer(ALLOW)]), answer(EAFNOSUPPORT)]
}

/** What Landlock leaves open and a namespace would have closed. */
function unboxed(when: When, refuse: (names: readonly SyscallName[], verdict: number) => Instruction[]): Instruction[] {
  return [
    // Only stream sockets of the unix kind may be made, and none may call out: the host's sockets are in reach by name.
    ...when('socket', [
      load(argument(0)),
      isNot(UNIX, 4),
      load(argument(1)),
      [AND, 0, 0, TYPE_MASK],
      isNot(STREAM, 1),
      answer(ALLOW),
      answer(EAFNOSUPPORT),
    ]),
    ...refuse(['connect'], ECONNREFUSED),
    ...refuse(['truncate'], EPERM),
    // Owner, mode and times are no business of Landlock; programs go on when told that it worked.
    ...refuse(METADATA_CALLS, PRETEND),
    // Whoever leaves the process group would outlive it.
    ...refuse(PROCESS_CALLS, PRETEND),
    // prlimit64 on oneself (0) only.
    ...when('prlimit64', [load(argument(0)), isNot(0, 1), answer(ALLOW), answer(EPERM)]),
  ]
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, jumpTrue, jumpFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jumpTrue, index * 8 + 2)
    bytes.writeUInt8(jumpFalse, index * 8 + 3)
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4)
  }
  return bytes
}
