#!/usr/bin/env node
import { apiServerCommand } from './apiserver.js'
import type { Command } from './command.js'
import { controllerManagerCommand } from './controller-manager.js'
import { schedulerCommand } from './scheduler.js'
import { snapshotCommand } from './snapshot.js'
import { downCommand } from './up/down.js'
import { resetCommand } from './up/reset.js'
import { statusCommand } from './up/status.js'
import { upCommand } from './up/up.js'

const commands: Readonly<Record<string, Command>> = {
  apiserver: apiServerCommand,
  'controller-manager': controllerManagerCommand,
  scheduler: schedulerCommand,
  // Speaking with a runtime takes a library that is slow to load, and the others have no need of it.
  image: async (args) => (await import('./image.js')).imageCommand(args),
  snapshot: snapshotCommand,
  up: upCommand,
  down: downCommand,
  reset: resetCommand,
  status: statusCommand,
  doctor: async (args) => (await import('./doctor.js')).doctorCommand(args),
}

const help = `Proa: Kubernetes in TypeScript. Being built: it has no nodes yet.

  proa up [flags]                          a whole cluster in one process; --help lists its flags
  proa down, reset, status                 end it; delete it; look at it
  proa doctor                              what this machine can do, and what would help
  proa apiserver [flags]                   the API server alone; --help lists its flags
  proa controller-manager [flags]          the control loops alone
  proa scheduler [flags]                   the scheduler alone
  proa image load|build|hello              bring images to the container runtime, without a registry
  proa snapshot save|restore|status FILE   copy, restore or describe the data of an embedded store
  proa --help                              this text
`

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    process.stderr.write(`proa: there is no command "${name}"; proa --help lists those that exist\n`)
    return 2
  }
  return command(args)
}

process.exitCode = await main(process.argv.slice(2))
