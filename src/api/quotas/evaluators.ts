import { claimEvaluator } from './claim-evaluator.js'
import { objectCountEvaluator, type QuotaEvaluator } from './evaluator.js'
import { podEvaluator } from './pod-evaluator.js'
import { serviceEvaluator } from './service-evaluator.js'

/** Of the core group. */
const measures: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', claimEvaluator],
])

/** How the objects of a resource count against quotas. */
export function quotaEvaluator(group: string, resource: string): QuotaEvaluator {
  return (group === '' ? measures.get(resource) : undefined) ?? objectCountEvaluator(group, resource)
}
