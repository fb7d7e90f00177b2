#!/usr/bin/env node
import { basename, join } from 'node:path'
import { loadCompiled } from '../base/compiled-script.js'
import { proaCommand } from './called-as.js'
import { isOwnCommand, suggestedCommands } from './own-commands.js'

/**
 * What runs first, whatever is typed. Loading a thousand modules would take longer than all that they do at start, so there are
 * scripts (tools/build.sh makes them): small ones of kubectl, which is started again and again, and one of all else.
 */
async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args
  if (basename(process.argv[1] ?? '') === 'kubectl') return runKubectl(args)
  if (name === 'kubectl') return runKubectl(rest)
  if (isOwnCommand(name)) return ours().commands[name](rest)
  if (name === '--version' || (name === 'version' && rest.length === 0)) return ours().version()
  if (['', 'help', '--help', '-h'].includes(name)) return help(rest)
  return runKubectl(args, name)
}

/** `proa help up` is `proa up --help`; of what is not Proa's own, kubectl knows more. */
async function help([topic = '', ...rest]: readonly string[]): Promise<number> {
  if (topic === '') return ours().help()
  if (topic === 'kubectl') return runKubectl(['help', ...rest])
  if (isOwnCommand(topic)) return ours().commands[topic](['--help'])
  return runKubectl(['help', topic, ...rest], topic)
}

function ours(): typeof import('./commands.js') {
  // Who reads the output may stop to do so, as `head` does; what runs goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return load<typeof import('./commands.js')>('commands')
}

function load<Exports>(name: string): Exports {
  return loadCompiled<Exports>(join(__dirname, `${name}.script`), require).exports
}

/** The process ends with it: whatever is still open then, such as a kept connection, is of no more use. */
async function runKubectl(args: readonly string[], name?: string): Promise<number> {
  if (args[0] === 'get') {
    const { kubectlCommand } = load<typeof import('./kubectl-get.js')>('kubectl-get')
    process.exit(await kubectlCommand(args))
  }
  const { isKubectlCommand, kubectlCommandNames, kubectlCommand } = load<typeof import('./kubectl.js')>('kubectl')
  if (name === undefined || name.startsWith('-') || isKubectlCommand(name)) process.exit(await kubectlCommand(args))
  process.stderr.write(unknownCommand(name, suggestedCommands(name, kubectlCommandNames)))
  return 2
}

function unknownCommand(name: string, meant: readonly string[]): string {
  const suggestion = meant.length === 0 ? '' : `\nDid you mean this?\n${meant.map((each) => `\t${each}\n`).join('')}`
  return `proa: unknown command ${JSON.stringify(name)}\n${suggestion}\nTo list all commands:  ${proaCommand()} --help\n`
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
