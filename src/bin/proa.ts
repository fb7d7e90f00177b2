#!/usr/bin/env node
import { basename, join } from 'node:path'
import { loadCompiled } from '../base/compiled-script.js'
import { isOwnCommand } from './own-commands.js'

/**
 * What runs first, whatever is typed. Loading a thousand modules would take longer than all that they do at start, so there are
 * scripts (tools/build.sh makes them): small ones of kubectl, which is started again and again, and one of all else.
 */
async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args
  if (basename(process.argv[1] ?? '') === 'kubectl') return runKubectl(args)
  if (name === 'kubectl') return runKubectl(rest)
  if (isOwnCommand(name)) return ours().commands[name](rest)
  if (['', 'help', '--help', '-h'].includes(name)) return ours().help()
  return runKubectl(args, name)
}

function ours(): typeof import('./commands.js') {
  // Who reads what is said may stop to do so, as `head` does; what runs goes on.
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
  const { isKubectlCommand, kubectlCommand } = load<typeof import('./kubectl.js')>('kubectl')
  if (name === undefined || name.startsWith('-') || isKubectlCommand(name)) process.exit(await kubectlCommand(args))
  process.stderr.write(`proa: there is no command "${name}"; proa --help lists those that exist\n`)
  return 2
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
