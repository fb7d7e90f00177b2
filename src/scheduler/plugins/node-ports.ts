import { type ContainerHostPort, podHostPorts, portsConflict } from '../cache/host-ports.js'
import { queueingHint } from '../framework/cluster-event.js'
import type { SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'NodePorts'

const rejection: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  isResolvable: true,
}

/** A port of a node is one pod's at a time. */
export function nodePorts(): SchedulerPlugin {
  return {
    name,
    preFilter({ hostPorts: wanted }) {
      if (wanted.length === 0) return undefined
      return { filter: ({ hostPorts }) => (anyClash(wanted, hostPorts) ? rejection : undefined) }
    },
    queueingHints: [
      queueingHint('AssignedPod', ['deleted'], ({ hostPorts }, { object }) =>
        anyClash(hostPorts, podHostPorts(object.spec)),
      ),
      queueingHint('Node', ['added']),
    ],
  }
}

function anyClash(wanted: readonly ContainerHostPort[], taken: readonly ContainerHostPort[]): boolean {
  for (let i = 0; i < taken.length; i++)
    for (let k = 0; k < wanted.length; k++) if (portsConflict(taken[i]!, wanted[k]!)) return true
  return false
}
