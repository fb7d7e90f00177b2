import { queueingHint } from '../framework/cluster-event.js'
import type { SchedulerPlugin } from '../framework/plugin.js'

const name = 'SchedulingGates'

/** A pod with gates is not tried until all of them are gone. */
export function schedulingGates(): SchedulerPlugin {
  return {
    name,
    preEnqueue({ pod }) {
      const gates = pod.spec.schedulingGates ?? []
      if (gates.length === 0) return undefined
      const names = gates.map((gate) => gate.name).join(' ')
      return { plugin: name, reasons: [`waiting for scheduling gates: [${names}]`], isResolvable: false }
    },
    queueingHints: [queueingHint('WaitingPod', ['gates removed'])],
  }
}
