import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agrees } from './setup-npm.mjs'

const wanted = {
  packages: {
    '': { version: '0.1.0' },
    server: { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/b-darwin': { version: '1.0.0', integrity: 'sha512-b', optional: true },
    'node_modules/@reforge/server': { link: true },
  },
}
const { '': _root, 'node_modules/b-darwin': _elsewhere, ...here } = wanted.packages

test('packages installed by hand are left alone when they are those of the lock file', () => {
  assert.equal(agrees(wanted, { packages: here }), true)
})

test('packages are installed again when one is missing, left over or another build', () => {
  const { 'node_modules/a': a, ...without } = here
  assert.equal(agrees(wanted, { packages: without }), false)
  assert.equal(agrees(wanted, { packages: { ...here, 'node_modules/c': a } }), false)
  assert.equal(agrees(wanted, { packages: { ...here, 'node_modules/a': { ...a, integrity: 'sha512-x' } } }), false)
})
