#!/usr/bin/env node
import { basename } from 'node:path'
import type { Command } from './command.js'

/** Each is loaded when it is called: the others may be slow to load, and kubectl must be quick. */
const commands: Readonly<Record<string, Command>> = {
  apiserver: async (args) => (await import('./apiserver.js')).apiServerCommand(args),
  'controller-manager': async (args) => (await import('./controller-manager.js')).controllerManagerCommand(args),
  scheduler: async (args) => (await import('./scheduler.js')).schedulerCommand(args),
  kubelet: async (args) => (await import('./kubelet.js')).kubeletCommand(args),
  image: async (args) => (await import('./image.js')).imageCommand(args),
  snapshot: async (args) => (await import('./snapshot.js')).snapshotCommand(args),
  up: async (args) => (await import('./up/up.js')).upCommand(args),
  down: async (args) => (await import('./up/down.js')).downCommand(args),
  reset: async (args) => (await import('./up/reset.js')).resetCommand(args),
  status: async (args) => (await import('./up/status.js')).statusCommand(args),
  doctor: async (args) => (await import('./doctor.js')).doctorCommand(args),
  kubectl: runKubectl,
}

async function runKubectl(args: readonly string[]): Promise<number> {
  return (await import('./kubectl.js')).kubectlCommand(args)
}

const help = `Proa: Kubernetes in TypeScript.

  proa up [flags]                          a whole cluster in one process; --help lists its flags
  proa down, reset, status                 end it; delete it; look at it
  proa doctor                              what this machine can do, and what would help
  proa apiserver [flags]                   the API server alone; --help lists its flags
  proa controller-manager [flags]          the control loops alone
  proa scheduler [flags]                   the scheduler alone
  proa kubelet [flags]                     the kubelet alone: this machine as a node
  proa image load|build|hello              bring images to the container runtime, without a registry
  proa snapshot save|restore|status FILE   copy, restore or describe the data of an embedded store
  proa kubectl …, proa get pods, …         kubectl; each of its commands can be called without the word, too
  proa --help                              this text
`

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return command(rest)
  const { isKubectlCommand } = await import('./kubectl.js')
  if (isKubectlCommand(name) || name.startsWith('-')) return runKubectl(args)
  process.stderr.write(`proa: there is no command "${name}"; proa --help lists those that exist\n`)
  return 2
}

/** Called through a link named `kubectl`, it is kubectl. */
const isKubectl = basename(process.argv[1] ?? '') === 'kubectl'
process.exitCode = await (isKubectl ? runKubectl : main)(process.argv.slice(2))
