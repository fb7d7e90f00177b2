import { homedir } from 'node:os'
import { join } from 'node:path'
import { startApiServer } from '../apiserver/server.js'
import { systemClock } from '../base/clock.js'
import { type Environment, environment } from '../base/environment.js'
import { formatLogRecord, logger } from '../base/logging.js'
import { type ApiServerFlags, apiServerFlags, apiServerOptions } from './apiserver-flags.js'
import { explain } from './explain.js'
import { describeFlags, parseFlags, UsageError } from './flags.js'
import { untilStopped } from './signals.js'

const usage = `The API server: the front door of a cluster.

Without flags it makes its own keys and certificates, keeps all objects in its data directory, and serves on port 6443.

Usage:
  proa apiserver [flags]

Flags:
${describeFlags(apiServerFlags)}`

/** The command `proa apiserver`, without its own name; gives the exit code. */
export async function apiServerCommand(args: readonly string[]): Promise<number> {
  try {
    const flags = parseFlags(apiServerFlags, args)
    if (flags.help) process.stdout.write(usage)
    else await run(flags)
    return 0
  } catch (error) {
    process.stderr.write(`proa apiserver: ${explain(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function run(flags: ApiServerFlags): Promise<void> {
  const options = apiServerOptions(flags, defaultDataDirectory())
  const server = await startApiServer(options, surroundings(flags.v))
  process.stdout.write(`The API server serves on ${server.url}; its data is in ${options.dataDirectory}.\n`)
  if (server.kubeconfig !== undefined) process.stdout.write(`Use it with: kubectl --kubeconfig ${server.kubeconfig}\n`)
  await untilStopped()
  await server.close()
}

/** The log goes to standard error, so that standard output says only what a person asked for. */
function surroundings(verbosity: number): Environment {
  const write = (record: Parameters<typeof formatLogRecord>[0]) => process.stderr.write(formatLogRecord(record))
  return environment({ log: logger({ now: () => systemClock.now(), write, level: verbosity >= 4 ? 'debug' : 'info' }) })
}

function defaultDataDirectory(): string {
  if (process.getuid?.() === 0) return '/var/lib/proa'
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'proa')
}
