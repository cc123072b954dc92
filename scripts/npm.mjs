/** Calling npm with a Node of our choice. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { quietly } from './process.mjs'

/** npm's own program, so that it can be run with a Node of our choice. */
function npmCli() {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'npm'))
  for (const path of [process.env.npm_execpath ?? '', ...onPath]) {
    if (!existsSync(path)) continue
    const real = realpathSync(path)
    if (basename(real) === 'npm-cli.js') return real
  }
  return null
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @param {import('./process.mjs').Where} where
 */
export function npm(node, args, where) {
  const cli = npmCli()
  // Also under `npm run --silent`: what goes wrong must be heard.
  const words = [...args, '--loglevel=error']
  return cli ? quietly(node, [cli, ...words], where) : quietly('npm', words, where)
}
