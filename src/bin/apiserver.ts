import { startApiServer } from '../apiserver/server.js'
import { type ApiServerFlags, apiServerFlags, apiServerOptions } from './apiserver-flags.js'
import { explain } from './explain.js'
import { describeFlags, parseFlags, UsageError } from './flags.js'
import { untilStopped } from './signals.js'
import { defaultDataDirectory, surroundings } from './surroundings.js'

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
