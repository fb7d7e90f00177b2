import { definitions } from '../../controllers/catalogue.js'
import type { ClusterScenario } from './scenario.js'

/** Controllers that scenarios need, by the beginning of their names. */
const loopsOf: Readonly<Record<string, readonly string[]>> = {
  'cron job:': ['cronjob-controller'],
  'stateful set:': ['statefulset-controller'],
  'endpoints:': ['endpoints-controller', 'endpointslice-controller'],
  'disruption budget:': ['disruption-controller'],
  'autoscaler:': ['horizontal-pod-autoscaler-controller'],
  'claims:': ['persistentvolume-binder-controller'],
  'volumes: claims': ['persistentvolume-binder-controller'],
  'node:': ['node-lifecycle-controller', 'taint-eviction-controller'],
}

/** Features that the kubelet lacks, by the beginning of the names of scenarios. */
const missingFromNodes: Readonly<Record<string, string>> = { 'resize of cpu': 'there is no resize in place yet' }

/** Returns why a scenario is skipped, or undefined. A scenario runs as soon as its controllers exist. */
export function skipReason({ name }: ClusterScenario): string | undefined {
  const missing = Object.entries(missingFromNodes).find(([beginning]) => name.startsWith(beginning))
  if (missing) return missing[1]
  const loops = Object.entries(loopsOf).flatMap(([beginning, names]) => (name.startsWith(beginning) ? names : []))
  const loop = loops.find((each) => !definitions.some(({ name }) => name === each))
  return loop && `there is no ${loop} yet`
}
