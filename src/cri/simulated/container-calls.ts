import type { ContainerFilter } from '../interface/container.js'
import type { RuntimeImplementation } from '../interface/services.js'
import { execute } from './execution.js'
import { hasLabels } from './records.js'
import type { SimulatedNode } from './simulated-node.js'

export function containerCalls({ pods, environment }: SimulatedNode): RuntimeImplementation {
  const { clock } = environment
  const list = ({ id = '', podSandboxId = '', state, labelSelector = {} }: Partial<ContainerFilter> = {}) =>
    pods.containers
      .all()
      .filter((container) => container.id.startsWith(id) && container.sandboxId.startsWith(podSandboxId))
      .filter((container) => hasLabels(container.config.labels, labelSelector))
      .filter((container) => !state || container.state === state.state)
      .map((container) => container.summary())

  return {
    createContainer: async (request) => ({ containerId: await pods.createContainer(request) }),

    async startContainer({ containerId }) {
      await pods.startContainer(containerId)
      return {}
    },

    async stopContainer({ containerId, timeout }) {
      await pods.containers.find(containerId)?.stop(timeout * 1000)
      return {}
    },

    async removeContainer({ containerId }) {
      pods.removeContainer(containerId)
      return {}
    },

    listContainers: async ({ filter }) => ({ containers: list(filter) }),

    async *streamContainers({ filter }) {
      yield { containers: list(filter) }
    },

    containerStatus: async ({ containerId }) => ({ status: pods.containers.get(containerId).status() }),

    async updateContainerResources({ containerId, linux }) {
      const container = pods.containers.get(containerId)
      if (linux) container.update(linux)
      return {}
    },

    async reopenContainerLog({ containerId }) {
      pods.containers.get(containerId).reopenLog()
      return {}
    },

    execSync: async ({ containerId, cmd, timeout }, { signal }) =>
      execute(pods.containers.get(containerId), cmd, { clock, signal, limit: timeout * 1000 }),
  }
}
