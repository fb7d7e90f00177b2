#!/usr/bin/env node
import { basename, join } from 'node:path'
import { started } from '../base/started.js'
import { suggestedCommands } from './command-list.js'
import { CodeCache, loadScript } from './process/code-cache.js'
import { proaCommand } from './process/invocation.js'
import { commandLine, type ScriptName, scriptFor } from './script-choice.js'

/** Milliseconds from the start of a server until it saves its compiled code: it has served its first requests by then. */
const saveAfter = 10_000

/**
 * The entry point of every command. Each command is in one bundled script, because loading a thousand modules would take longer than
 * running them.
 */
function main(args: readonly string[]): Promise<number> {
  const line = commandLine(basename(process.argv[1] ?? '') === 'kubectl' ? ['kubectl', ...args] : args)
  const script = scriptFor(line)
  if (script === 'commands') return runOwnCommand(line)
  return script === 'kubectl-get' ? runKubectlGet(line) : runKubectl(line)
}

async function runOwnCommand([name = '', ...args]: readonly string[]): Promise<number> {
  // The reader of a pipe may stop reading, as `head` does. The command continues.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const { exports: script, cache } = load<typeof import('./commands.js')>('commands', name)
  started.subscribe(() => setTimeout(() => cache.save(), saveAfter).unref())
  const code = await script.runOwnCommand(name, args)
  if (code === 0) cache.save()
  return code
}

async function runKubectlGet(line: readonly string[]): Promise<number> {
  const { exports: script, cache } = load<typeof import('./kubectl/kubectl-get.js')>('kubectl-get', 'get')
  return exitWith(await script.runKubectlGet(kubectlArguments(line)), cache)
}

async function runKubectl(line: readonly string[]): Promise<number> {
  const args = kubectlArguments(line)
  const [name = ''] = line[0] === 'help' ? line.slice(1) : line
  const { exports: script, cache } = load<typeof import('./kubectl/kubectl.js')>('kubectl', args[0])
  if (name === 'kubectl' || name.startsWith('-') || script.isKubectlCommand(name))
    return exitWith(await script.runKubectl(args), cache)
  process.stderr.write(unknownCommand(name, suggestedCommands(name, script.kubectlCommandNames)))
  return 2
}

function unknownCommand(name: string, suggestions: readonly string[]): string {
  const suggestion =
    suggestions.length === 0 ? '' : `\nDid you mean this?\n${suggestions.map((each) => `\t${each}\n`).join('')}`
  return `proa: unknown command ${JSON.stringify(name)}\n${suggestion}\nTo list all commands:  ${proaCommand()} --help\n`
}

/** `proa kubectl get` and `proa get` are the same. */
function kubectlArguments(line: readonly string[]): readonly string[] {
  return line[0] === 'kubectl' ? line.slice(1) : line
}

/** Ends the process without waiting for open connections. Only a successful run shows which functions the command needs. */
function exitWith(code: number, cache: CodeCache): never {
  if (code === 0) cache.save()
  process.exit(code)
}

/** Loads a script. Commands of one script call different functions, so each command has its own entry in the code cache. */
function load<Exports>(name: ScriptName, command = '') {
  const purpose = /^[a-z][a-z-]*$/.test(command) ? command : 'other'
  const cache = new CodeCache({ folder: join(__dirname, '..', '..', 'compiled'), purpose })
  return { exports: loadScript<Exports>(join(__dirname, `${name}.script`), require, cache), cache }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
