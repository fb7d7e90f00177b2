import { clash, type HostPort, hostPortsOf } from '../cache/host-ports.js'
import { interest } from '../framework/cluster-event.js'
import type { Plugin } from '../framework/plugin.js'
import type { Refusal } from '../framework/rejection.js'

const name = 'NodePorts'

const refusal: Refusal = {
  plugin: name,
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  isResolvable: true,
}

/** A port of a node is one pod's at a time. */
export function nodePorts(): Plugin {
  return {
    name,
    filterFor({ hostPorts: wanted }) {
      if (wanted.length === 0) return undefined
      return { refuse: ({ hostPorts }) => (anyClash(wanted, hostPorts) ? refusal : undefined) }
    },
    interests: [
      interest('AssignedPod', ['deleted'], ({ hostPorts }, { object }) =>
        anyClash(hostPorts, hostPortsOf(object.spec)),
      ),
      interest('Node', ['added']),
    ],
  }
}

function anyClash(wanted: readonly HostPort[], taken: readonly HostPort[]): boolean {
  for (let i = 0; i < taken.length; i++)
    for (let k = 0; k < wanted.length; k++) if (clash(taken[i]!, wanted[k]!)) return true
  return false
}
