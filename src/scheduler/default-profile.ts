import type { PluginParts } from './plugin.js'
import { nodeName } from './plugins/node-name.js'
import { nodeResourcesFit } from './plugins/node-resources-fit.js'
import { nodeUnschedulable } from './plugins/node-unschedulable.js'
import { schedulingGates } from './plugins/scheduling-gates.js'
import { taintToleration } from './plugins/taint-toleration.js'
import type { Profile } from './profile.js'

/** What pods get that ask for nothing else. Order and weights are upstream's. */
export function defaultProfile({ schedulerName }: PluginParts): Profile {
  const taints = taintToleration()
  const fit = nodeResourcesFit()
  return {
    schedulerName,
    gates: [schedulingGates()],
    filters: [nodeUnschedulable(), nodeName(), taints, fit],
    scores: [
      { plugin: taints, weight: 3 },
      { plugin: fit, weight: 1 },
    ],
    rescues: [],
    percentageOfNodesToScore: 0,
  }
}
