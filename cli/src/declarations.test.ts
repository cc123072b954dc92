/** The declarations themselves: what derives from them can only be right when they are. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { check, choose, readArguments } from './arguments.ts'
import type { Command, Commands } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { bashCompletion } from './completion/bash.ts'
import { fishCompletion } from './completion/fish.ts'
import { zshCompletion } from './completion/zsh.ts'
import { FLAGS, type Flag, specOf } from './flags.ts'
import { manPage } from './man.ts'
import { cliPage } from './markdown.ts'

function walk(commands: Commands, above = ''): { path: string; command: Command }[] {
  return Object.entries(commands).flatMap(([name, command]) => [
    { path: above + name, command },
    ...walk(command.verbs ?? {}, `${above}${name} `),
  ])
}
const all = walk(COMMANDS)
const flags = Object.keys(FLAGS) as Flag[]

test('every example is one that works', () => {
  for (const { path, command } of all)
    for (const [line] of command.examples) {
      const typed = /reforge ([^|>)]+)/.exec(line)?.[1] ?? ''
      const { values, positionals } = readArguments(typed.trim().split(/\s+/))
      const chosen = choose(COMMANDS, positionals)
      assert.ok(path.startsWith(chosen.path) || chosen.path.startsWith(path), line)
      check(chosen, values)
    }
})

test('no short flag has two meanings, and every flag is some command’s', () => {
  const shorts = flags.flatMap((flag) => specOf(flag).short ?? [])
  assert.equal(new Set(shorts).size, shorts.length)
  const used = new Set(all.flatMap(({ command }) => command.flags ?? []))
  const nobodys = flags.filter((flag) => !used.has(flag))
  assert.deepEqual(nobodys, ['json', 'server', 'key', 'cacert', 'help', 'version'])
})

test('manual and docs name every command and every flag', () => {
  const [man, page] = [manPage(COMMANDS).replace(/\\-/g, '-'), cliPage(COMMANDS)]
  for (const { path } of all) {
    assert.ok(man.includes(`.SS reforge ${path}`), path)
    assert.match(page, new RegExp(`^#+ ${path}$`, 'm'))
  }
  for (const flag of flags) assert.ok(man.includes(`--${flag}`) && page.includes(`--${flag}`), flag)
  // Nothing of the text reads as a command of the manual's language.
  assert.ok(man.split('\n').every((line) => !/^[.']/.test(line) || /^\.(\\"|TH|SH|SS|TP|PP|RS|RE|nf|fi)/.test(line)))
})

test('bash completes commands, verbs, flags and values', () => {
  const ask = `t() { COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); COMPREPLY=(); _reforge; echo "\${COMPREPLY[*]}"; }
    reforge() { printf 'jp2\\njpg\\npng\\n'; }
    t reforge conv; t reforge jobs ca; t reforge --json jobs w; t reforge keys create --s; t reforge trim a.mp3 --to jp
    t reforge jobs --status c; t reforge completion ''; t reforge convert --output-d`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${bashCompletion(COMMANDS)}\n${ask}`], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  const expected = ['convert', 'cancel', 'watch', '--scopes --server', 'jp2 jpg', 'created completed', 'bash zsh fish']
  assert.deepEqual(stdout.trim().split('\n'), [...expected, '--output-dir'])
})

test('the other shells are told the same words', () => {
  for (const script of [zshCompletion(COMMANDS), fishCompletion(COMMANDS)]) {
    for (const { path } of all) assert.ok(script.includes(`'${path}'`) || script.includes(`${path}'`), path)
    for (const flag of flags.filter((each) => each !== 'version')) assert.ok(script.includes(flag), flag)
  }
})
