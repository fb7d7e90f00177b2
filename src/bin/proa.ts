#!/usr/bin/env node
import { basename, join } from 'node:path'
import { loadCompiled } from './compiled-script.js'
import { isOwnCommand } from './own-commands.js'

/**
 * What runs first, whatever is typed. tools/build.sh makes one small script of CommonJS of it: kubectl is started again and again and
 * must be quick, so nothing is loaded for it but a script of its own. All else is imported.
 */
async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args
  if (basename(process.argv[1] ?? '') === 'kubectl') return runKubectl(args)
  if (name === 'kubectl') return runKubectl(rest)
  if (isOwnCommand(name)) return (await import('./commands.js')).commands[name](rest)
  if (['', 'help', '--help', '-h'].includes(name)) return (await import('./commands.js')).help()
  return runKubectl(args, name)
}

/** The process ends with it: whatever is still open then, such as a kept connection, is of no more use. */
async function runKubectl(args: readonly string[], name?: string): Promise<number> {
  const { exports } = loadCompiled<typeof import('./kubectl.js')>(join(__dirname, 'kubectl.cjs'))
  if (name === undefined || name.startsWith('-') || exports.isKubectlCommand(name))
    process.exit(await exports.kubectlCommand(args))
  process.stderr.write(`proa: there is no command "${name}"; proa --help lists those that exist\n`)
  return 2
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
