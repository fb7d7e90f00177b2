import type { RuntimeImplementation } from '../interface/services.js'
import type { ContainerStatsFilter, PodSandboxStatsFilter } from '../interface/stats.js'
import type { SimulatedContainer } from './container.js'
import { hasLabels } from './records.js'
import type { SimulatedSandbox } from './sandbox.js'
import type { SimulatedNode } from './simulated-node.js'
import { containerStats, sandboxStats } from './stats.js'

export function statsCalls({ pods, time }: SimulatedNode): RuntimeImplementation {
  const ofContainer = (container: SimulatedContainer) => containerStats(container, time.now())
  const ofSandbox = (sandbox: SimulatedSandbox) => sandboxStats(sandbox, pods.containersOf(sandbox.id), time.now())
  const containers = ({ id = '', podSandboxId = '', labelSelector = {} }: Partial<ContainerStatsFilter> = {}) =>
    pods.containers
      .all()
      .filter((container) => container.id.startsWith(id) && container.sandboxId.startsWith(podSandboxId))
      .filter((container) => container.running && hasLabels(container.config.labels, labelSelector))
      .map(ofContainer)
  const sandboxes = ({ id = '', labelSelector = {} }: Partial<PodSandboxStatsFilter> = {}) =>
    pods.sandboxes
      .all()
      .filter((sandbox) => sandbox.id.startsWith(id) && hasLabels(sandbox.config.labels, labelSelector))
      .filter(({ ready }) => ready)
      .map(ofSandbox)

  return {
    containerStats: async ({ containerId }) => ({ stats: ofContainer(pods.containers.get(containerId)) }),

    listContainerStats: async ({ filter }) => ({ stats: containers(filter) }),

    async *streamContainerStats({ filter }) {
      yield { containerStats: containers(filter) }
    },

    podSandboxStats: async ({ podSandboxId }) => ({ stats: ofSandbox(pods.sandboxes.get(podSandboxId)) }),

    listPodSandboxStats: async ({ filter }) => ({ stats: sandboxes(filter) }),

    async *streamPodSandboxStats({ filter }) {
      yield { podSandboxStats: sandboxes(filter) }
    },
  }
}
