/** Finds the box this machine can give, by trying it. Never goes on without one unless the operator asked for that. */

import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sandbox } from '../ports/sandbox.ts'
import { openBubblewrap } from './bubblewrap.ts'
import { openLandlock } from './landlock.ts'
import { removeTree } from './remove-tree.ts'
import { openUnsafe } from './unsafe.ts'

export interface SandboxChoice {
  /** REFORGE_UNSAFE_NO_SANDBOX=1. */
  unsafe: boolean
  /** Path of the built `landlock-box`, null where it was not built. */
  landlockHelper: string | null
  /** A folder of ours, on the file system the work folders are on. */
  scratch: string
}

interface Candidate {
  name: string
  open(): Promise<Sandbox>
}

export async function openSandbox({ unsafe, landlockHelper, scratch }: SandboxChoice): Promise<Sandbox> {
  if (unsafe) return openUnsafe({ scratch })
  return openSandboxFrom(candidates(scratch, landlockHelper), scratch)
}

/** The first that works. */
export async function openSandboxFrom(among: readonly Candidate[], scratch: string): Promise<Sandbox> {
  const refusals: string[] = []
  for (const { name, open } of among) {
    try {
      const sandbox = await open()
      const refusal = await tryOut(sandbox, scratch)
      if (refusal === null) return sandbox
      await sandbox.close()
      refusals.push(`${name}: ${refusal}`)
    } catch (error) {
      refusals.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(advice(refusals))
}

function candidates(scratch: string, helper: string | null): readonly Candidate[] {
  const isRoot = process.getuid?.() === 0
  const bubblewrap = isRoot ? (['root', 'dropped'] as const) : (['user'] as const)
  const landlock = async (): Promise<Sandbox> => {
    if (helper === null) throw new Error('its helper was not built, as there was no C compiler')
    return openLandlock({ helper, scratch })
  }
  return [
    ...bubblewrap.map((by) => ({ name: `bubblewrap (${by})`, open: () => openBubblewrap({ scratch, by }) })),
    { name: 'Landlock', open: landlock },
  ]
}

/** Null when a boxed program ran and could write where it should, else the reason. */
async function tryOut(sandbox: Sandbox, scratch: string): Promise<string | null> {
  await mkdir(scratch, { recursive: true })
  const work = await mkdtemp(join(scratch, 'trial-'))
  try {
    const result = await sandbox.run({ command: ['/bin/touch', 'written'], work, limits: { wall: 10_000 } })
    if (result.code === 0) return null
    return result.stderr.trim() || `a boxed program ended with ${result.ended ?? result.signal ?? result.code}`
  } finally {
    await removeTree(work)
  }
}

const advice = (
  refusals: readonly string[],
): string => `No sandbox works on this machine, and files from strangers are not opened without one.
What was tried:
${refusals.map((line) => `  - ${line}`).join('\n')}
What helps, one of:
  - install bubblewrap (apt-get install bubblewrap) and allow user namespaces: sysctl user.max_user_namespaces=15000,
    on Ubuntu also sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container start it with
    --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined
  - a kernel with Landlock (5.13 or newer, "landlock" in /sys/kernel/security/lsm) and a C compiler at setup
    (apt-get install gcc libc6-dev, then npm run setup)
To run without any sandbox, only ever for files you trust: REFORGE_UNSAFE_NO_SANDBOX=1`
