import { claimMeasure } from './claim-measure.js'
import { countOf, type Measure } from './measure.js'
import { podMeasure } from './pod-measure.js'
import { serviceMeasure } from './service-measure.js'

/** Of the core group. */
const measures: ReadonlyMap<string, Measure> = new Map([
  ['pods', podMeasure],
  ['services', serviceMeasure],
  ['persistentvolumeclaims', claimMeasure],
])

/** How the objects of a resource count against quotas. */
export function measureOf(group: string, resource: string): Measure {
  return (group === '' ? measures.get(resource) : undefined) ?? countOf(group, resource)
}
