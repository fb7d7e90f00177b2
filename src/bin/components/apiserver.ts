import { startApiServer } from '../../apiserver/server.js'
import { claimIfEmpty } from '../cluster/claim.js'
import { findCluster } from '../cluster/cluster.js'
import { kubectlLine } from '../cluster/hints.js'
import { defineCommand } from '../command.js'
import { commandEnvironment } from '../process/command-environment.js'
import { untilStopped } from '../process/signals.js'
import { type ApiServerFlags, apiServerFlags, apiServerOptions } from './apiserver-flags.js'

export const apiServerCommand = defineCommand({
  name: 'apiserver',
  about: `Run the API server alone.

Without flags it creates its own keys and certificates, stores all objects in its data directory, and listens on port 6443.

Usage:
  proa apiserver [flags]
`,
  flags: apiServerFlags,
  run,
})

async function run(flags: ApiServerFlags): Promise<void> {
  const cluster = findCluster(flags)
  claimIfEmpty(cluster)
  const options = apiServerOptions(flags, cluster.dataDirectory)
  const server = await startApiServer(options, commandEnvironment(flags.v))
  process.stdout.write(`The API server serves on ${server.url}; its data is in ${options.dataDirectory}.\n`)
  if (server.kubeconfig !== undefined)
    process.stdout.write(`Use it with: ${kubectlLine(server.kubeconfig, 'get namespaces')}\n`)
  await untilStopped()
  await server.close()
}
