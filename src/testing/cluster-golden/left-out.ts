import { catalogue } from '../../controllers/catalogue.js'
import type { Scenario } from './scenario.js'

/** What scenarios need beside what their recording needs, by the beginning of their names. With all loops there, it can go. */
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

/** Parts of a cluster that do not exist yet: what needs them is left out. */
const missingParts: readonly Scenario['needs'][] = ['kubelet']

/** Why a scenario is not played, if it is not. What it needs may come to be: then it is played without further ado. */
export function leftOut({ name, needs }: Scenario): string | undefined {
  if (missingParts.includes(needs)) return `there is no ${needs} yet`
  const loops = Object.entries(loopsOf).flatMap(([beginning, names]) => (name.startsWith(beginning) ? names : []))
  const loop = loops.find((each) => !catalogue.some((entry) => entry.name === each))
  return loop && `there is no ${loop} yet`
}
