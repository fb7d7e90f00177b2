import { isNodeReady } from '../../api/core/v1/node/ready.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { boolean } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import { Client } from '../../client/client.js'
import { connect } from '../../client/connect.js'
import { thisHost } from '../../client/host-access.js'
import { resolveConnection } from '../../client/kubeconfig/resolve.js'
import { findCluster } from '../cluster/cluster.js'
import { clusterFlags } from '../cluster/cluster-flags.js'
import { withHints } from '../cluster/hints.js'
import { isDataDirectory } from '../cluster/inspection.js'
import { type ClusterRecord, readRecord } from '../cluster/record.js'
import { defineCommand } from '../command.js'
import { commandEnvironment } from '../process/command-environment.js'
import { startHint } from './last-up.js'
import { Progress } from './progress.js'

const statusFlags = {
  ...clusterFlags,
  help: { ...boolean('Show this help.'), short: 'h' },
}

export const statusCommand = defineCommand({
  name: 'status',
  about: `Show whether a cluster of this machine runs, and the state of its nodes and pods. "proa list" shows all clusters.

Usage:
  proa status [flags]
`,
  flags: statusFlags,
  run,
})

async function run(flags: FlagValues<typeof statusFlags>): Promise<void> {
  const cluster = findCluster(flags)
  const { name, dataDirectory } = cluster
  if (!isDataDirectory(dataDirectory))
    throw new Error(withHints(`there is no cluster ${name} in ${dataDirectory}`, startHint('create it', cluster)))
  const record = readRecord(dataDirectory)
  if (!record) throw new Error(withHints(`the cluster ${name} does not run`, startHint('start it', cluster)))
  const progress = new Progress()
  const address = record.url ?? 'still starting'
  progress.report('control plane', `${address}, process ${record.pid}; its data is in ${dataDirectory}`)
  for (const each of record.nodes) progress.report('node', `${each.name}: ${each.runtime}`)
  for (const line of await readClusterState(record)) progress.report(...line)
}

async function readClusterState({ kubeconfig }: ClusterRecord): Promise<readonly [string, string][]> {
  if (kubeconfig === undefined) return []
  const connection = await resolveConnection(thisHost(), { kubeconfig })
  const transport = await connect(connection, { environment: commandEnvironment(0), userAgent: 'proa' })
  try {
    const client = new Client(transport)
    const [nodes, pods] = await Promise.all([client.resource(Node).list(), client.resource(Pod).list()])
    const ready = nodes.items.filter(isNodeReady).length
    return [
      ['nodes', `${ready} of ${nodes.items.length} ready`],
      ['pods', tally(pods.items.map(({ status }) => status?.phase ?? 'Unknown'))],
    ]
  } finally {
    transport.close()
  }
}

function tally(phases: readonly string[]): string {
  if (phases.length === 0) return 'none'
  const counts = new Map<string, number>()
  for (const phase of phases) counts.set(phase, (counts.get(phase) ?? 0) + 1)
  return [...counts].map(([phase, count]) => `${count} ${phase}`).join(', ')
}
