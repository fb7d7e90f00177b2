import type { RuntimeImplementation } from '../interface/services.js'
import type { SimulatedNode } from './simulated-node.js'

export const simulatedRuntimeName = 'proa-simulated'
const runtimeVersion = '0.1.0'

/** Version, status, configuration and events of the runtime. */
export function runtimeCalls({ pods, runtimeHandlers }: SimulatedNode): RuntimeImplementation {
  return {
    version: async () => ({
      version: '0.1.0', // of the interface; the same for every runtime
      runtimeName: simulatedRuntimeName,
      runtimeVersion,
      runtimeApiVersion: 'v1',
    }),

    status: async () => ({
      status: {
        conditions: [
          { type: 'RuntimeReady', status: true },
          { type: 'NetworkReady', status: true },
        ],
      },
      runtimeHandlers: runtimeHandlers.map((name) => ({ name, features: {} })),
      features: {},
    }),

    runtimeConfig: async () => ({ linux: { cgroupDriver: 'CGROUPFS' as const } }),

    async updateRuntimeConfig({ runtimeConfig }) {
      const range = runtimeConfig?.networkConfig?.podCidr
      if (range) pods.setPodRange(range)
      return {}
    },

    getContainerEvents: (_, { signal }) => pods.events.listen(signal),
  }
}
