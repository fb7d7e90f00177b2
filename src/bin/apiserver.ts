import { startApiServer } from '../apiserver/server.js'
import { type ApiServerFlags, apiServerFlags, apiServerOptions } from './apiserver-flags.js'
import { claimIfEmpty } from './cluster/claim.js'
import { findCluster } from './cluster/cluster.js'
import { kubectlLine } from './cluster/hints.js'
import { command } from './command.js'
import { untilStopped } from './signals.js'
import { surroundings } from './surroundings.js'

export const apiServerCommand = command({
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
  const server = await startApiServer(options, surroundings(flags.v))
  process.stdout.write(`The API server serves on ${server.url}; its data is in ${options.dataDirectory}.\n`)
  if (server.kubeconfig !== undefined)
    process.stdout.write(`Use it with: ${kubectlLine(server.kubeconfig, 'get namespaces')}\n`)
  await untilStopped()
  await server.close()
}
