import type { Draft } from '../../../../schema/infer.js'
import { setMember } from '../../../../schema/json-value.js'
import { declareDefaults } from '../../../../schema/schema.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import { ResourceRequirements, VolumeResourceRequirements } from '../resource-requirements.js'

/** Rounds quantities up to thousandths. */
export function roundResources(resources: Record<string, string> | undefined): void {
  for (const name in resources) {
    const quantity = resources[name]!
    if (isFine(quantity)) resources[name] = roundedUp(Quantity.parse(quantity))
  }
}

/** Whether a quantity is finer than thousandths. */
function isFine(quantity: string): boolean {
  return quantity.endsWith('n') || quantity.endsWith('u') || quantity.endsWith('e-9') || quantity.endsWith('e-6')
}

function roundedUp(quantity: Quantity): string {
  return Quantity.milli(quantity.scaledValue(-3), quantity.format).toString()
}

/** Sets absent requests to the limits. */
export function requestUpToLimits(resources: Draft<ResourceRequirements> | undefined): void {
  if (!resources?.limits) return
  const requests: Record<string, string> = {}
  for (const name in resources.limits) setMember(requests, name, resources.limits[name]!)
  for (const name in resources.requests) setMember(requests, name, resources.requests[name]!)
  resources.requests = requests
}

export const resourceRequirementsDefaults = declareDefaults<ResourceRequirements>(
  ResourceRequirements,
  ({ limits, requests }) => {
    roundResources(limits)
    roundResources(requests)
  },
)

export const volumeResourceRequirementsDefaults = declareDefaults<VolumeResourceRequirements>(
  VolumeResourceRequirements,
  ({ limits, requests }) => {
    roundResources(limits)
    roundResources(requests)
  },
)
