import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { SETTINGS } from '../../src/config.ts'
import { picture } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'

const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8')

describe('the README', () => {
  test('its first conversion works word for word', async () => {
    await using server = await startServer()
    const block = /## First conversion[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1]
    assert.ok(block, 'there is a shell block')
    const script = block.replace(/^KEY=.*$/m, `KEY=${server.key}`).replaceAll('https://localhost:8443', server.url)
    const folder = await mkdtemp(join(tmpdir(), 'reforge-readme-'))
    try {
      await symlink(server.data, join(folder, 'data'))
      await writeFile(join(folder, 'photo.png'), await picture('png'))
      await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, timeout: 180_000 })
      const made = await readFile(join(folder, 'photo.jpg'))
      assert.deepEqual([...made.subarray(0, 3)], [0xff, 0xd8, 0xff])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('it tells every setting, and none that is not there', () => {
    const told = [...readme.matchAll(/^\| `REFORGE_(\w+)` \|/gm)].map(([, name]) => name)
    const real = Object.keys(SETTINGS).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())
    assert.deepEqual(told.toSorted(), real.toSorted())
  })
})
