import { type ContainerHostPort, podHostPorts, portsConflict } from '../cache/host-ports.js'
import { queueingHint } from '../framework/cluster-event.js'
import { declarePlugin } from '../framework/declaration.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'NodePorts'

const rejection: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  isResolvable: true,
}

/** Two pods of one node cannot have the same host port. */
export const nodePorts = declarePlugin({
  name,
  extensionPoints: ['filter'],
  defaultProfile: { position: 70 },
  create: () => ({
    preFilter({ hostPorts: wanted }) {
      if (wanted.length === 0) return undefined
      return { filter: ({ hostPorts }) => (anyConflict(wanted, hostPorts) ? rejection : undefined) }
    },
    queueingHints: [
      queueingHint('AssignedPod', ['deleted'], ({ hostPorts }, { object }) =>
        anyConflict(hostPorts, podHostPorts(object.spec)),
      ),
      queueingHint('Node', ['added']),
    ],
  }),
})

function anyConflict(wanted: readonly ContainerHostPort[], used: readonly ContainerHostPort[]): boolean {
  for (let i = 0; i < used.length; i++)
    for (let k = 0; k < wanted.length; k++) if (portsConflict(used[i]!, wanted[k]!)) return true
  return false
}
