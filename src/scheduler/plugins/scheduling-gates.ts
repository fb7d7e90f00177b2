import { queueingHint } from '../framework/cluster-event.js'
import { declarePlugin } from '../framework/declaration.js'

const name = 'SchedulingGates'

/** A pod is not scheduled before all of its scheduling gates are removed. */
export const schedulingGates = declarePlugin({
  name,
  extensionPoints: ['preEnqueue'],
  defaultProfile: { position: 10 },
  create: () => ({
    preEnqueue({ pod }) {
      const gates = pod.spec.schedulingGates ?? []
      if (gates.length === 0) return undefined
      const names = gates.map((gate) => gate.name).join(' ')
      return { plugin: name, reasons: [`waiting for scheduling gates: [${names}]`], isResolvable: false }
    },
    queueingHints: [queueingHint('UnscheduledPod', ['gates removed'])],
  }),
})
