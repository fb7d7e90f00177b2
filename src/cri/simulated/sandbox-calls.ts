import type { PodSandboxFilter } from '../interface/sandbox.js'
import type { RuntimeImplementation } from '../interface/services.js'
import { hasLabels } from './records.js'
import type { SimulatedNode } from './simulated-node.js'

export function sandboxCalls({ pods, time }: SimulatedNode): RuntimeImplementation {
  const list = ({ id = '', state, labelSelector = {} }: Partial<PodSandboxFilter> = {}) =>
    pods.sandboxes
      .all()
      .filter((sandbox) => sandbox.id.startsWith(id) && hasLabels(sandbox.config.labels, labelSelector))
      .map((sandbox) => sandbox.summary())
      .filter((summary) => !state || summary.state === state.state)

  return {
    runPodSandbox: async (request) => ({ podSandboxId: await pods.runSandbox(request) }),

    async stopPodSandbox({ podSandboxId }) {
      pods.stopSandbox(podSandboxId)
      return {}
    },

    async removePodSandbox({ podSandboxId }) {
      pods.removeSandbox(podSandboxId)
      return {}
    },

    async podSandboxStatus({ podSandboxId }) {
      const sandbox = pods.sandboxes.get(podSandboxId)
      const containersStatuses = pods.containersOf(sandbox.id).map((container) => container.status())
      return { status: sandbox.status(), containersStatuses, timestamp: time.now() }
    },

    listPodSandbox: async ({ filter }) => ({ items: list(filter) }),

    async *streamPodSandboxes({ filter }) {
      yield { podSandboxes: list(filter) }
    },

    async updatePodSandboxResources({ podSandboxId }) {
      pods.sandboxes.get(podSandboxId)
      return {}
    },
  }
}
