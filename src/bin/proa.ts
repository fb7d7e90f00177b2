#!/usr/bin/env node
import { basename, join } from 'node:path'
import { started } from '../base/started.js'
import { proaCommand } from './called-as.js'
import { CodeCache, loadScript } from './code-cache.js'
import { suggestedCommands } from './own-commands.js'
import { commandLine, type ScriptName, scriptFor } from './script-choice.js'

/** How long after its start a server keeps its code for the next start, in milliseconds: it has answered its first requests by then. */
const saveAfter = 10_000

/** Runs first, whatever is typed. Loading a thousand modules would take longer than running them, so each command is in one script. */
function main(args: readonly string[]): Promise<number> {
  const line = commandLine(basename(process.argv[1] ?? '') === 'kubectl' ? ['kubectl', ...args] : args)
  const script = scriptFor(line)
  if (script === 'commands') return runOwn(line)
  return script === 'kubectl-get' ? runGet(line) : runKubectl(line)
}

async function runOwn([name = '', ...args]: readonly string[]): Promise<number> {
  // A reader may stop reading, as `head` does; the command goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const { exports: own, cache } = load<typeof import('./commands.js')>('commands', name)
  started.subscribe(() => setTimeout(() => cache.save(), saveAfter).unref())
  const code = await own.runCommand(name, args)
  if (code === 0) cache.save()
  return code
}

async function runGet(line: readonly string[]): Promise<number> {
  const { exports: kubectl, cache } = load<typeof import('./kubectl-get.js')>('kubectl-get', 'get')
  return exitWith(await kubectl.kubectlCommand(wordsOf(line)), cache)
}

async function runKubectl(line: readonly string[]): Promise<number> {
  const words = wordsOf(line)
  const [name = ''] = line[0] === 'help' ? line.slice(1) : line
  const { exports: kubectl, cache } = load<typeof import('./kubectl.js')>('kubectl', words[0])
  if (name === 'kubectl' || name.startsWith('-') || kubectl.isKubectlCommand(name))
    return exitWith(await kubectl.kubectlCommand(words), cache)
  process.stderr.write(unknownCommand(name, suggestedCommands(name, kubectl.kubectlCommandNames)))
  return 2
}

function unknownCommand(name: string, meant: readonly string[]): string {
  const suggestion = meant.length === 0 ? '' : `\nDid you mean this?\n${meant.map((each) => `\t${each}\n`).join('')}`
  return `proa: unknown command ${JSON.stringify(name)}\n${suggestion}\nTo list all commands:  ${proaCommand()} --help\n`
}

/** `proa kubectl get` and `proa get` are the same. */
function wordsOf(line: readonly string[]): readonly string[] {
  return line[0] === 'kubectl' ? line.slice(1) : line
}

/** Ends the process: connections that are still open are of no more use. A failure is no example of what a command needs. */
function exitWith(code: number, cache: CodeCache): never {
  if (code === 0) cache.save()
  process.exit(code)
}

/** Commands of one script run different functions: each has code of its own in the cache. */
function load<Exports>(name: ScriptName, command = '') {
  const purpose = /^[a-z][a-z-]*$/.test(command) ? command : 'other'
  const cache = new CodeCache({ folder: join(__dirname, '..', '..', 'compiled'), purpose })
  return { exports: loadScript<Exports>(join(__dirname, `${name}.script`), require, cache), cache }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
