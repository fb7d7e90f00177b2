import type { StepComparison } from '../golden/known-differences.js'
import type { ClusterRecording } from './cluster-recording.js'

/** `10-workloads: 70 of 74 records are the same, 31 are left out` */
export function tally({ name, scenarios, recorded }: ClusterRecording, results: readonly StepComparison[]): string {
  const same = results.filter(({ differences }) => differences.length === 0).length
  const all = scenarios.flatMap((scenario) => Object.keys(recorded(scenario.name))).length
  const rest = all - results.length
  return `${name}: ${same} of ${results.length} records are the same${rest > 0 ? `, ${rest} are left out` : ''}`
}
