/** reforge completion: what a shell must know to complete our commands. */
import type { Command, Commands } from '../command.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { EXIT, UsageError } from '../exit.ts'
import { didYouMean } from '../nearest.ts'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

export const createCompletion = (commands: () => Commands): Command => ({
  summary: 'Print the completion script for bash, zsh or fish.',
  takes: [{ name: 'SHELL', word: 'shell', completes: Object.keys(SHELLS) }],
  examples: [
    ['source <(reforge completion bash)', 'in ~/.bashrc'],
    ['source <(reforge completion zsh)', 'in ~/.zshrc, after compinit'],
    ['reforge completion fish > ~/.config/fish/completions/reforge.fish', 'once'],
  ],
  async run({ names: [shell = ''], out }) {
    const all = Object.keys(SHELLS)
    const write = Object.entries(SHELLS).find(([name]) => name === shell)?.[1]
    if (!write)
      throw new UsageError(`There is no "${shell}" here.${didYouMean(shell, all)} There are: ${all.join(', ')}.`)
    out.write(write(commands()))
    return EXIT.ok
  },
})
