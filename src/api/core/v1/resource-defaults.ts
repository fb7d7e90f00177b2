import type { Draft } from '../../../schema/infer.js'
import { Quantity } from '../../../schema/quantity.js'
import { rules } from '../../../schema/rules.js'
import { ResourceRequirements, VolumeResourceRequirements } from './resource-requirements.js'

/** Amounts of resources are kept to a thousandth, rounded up. */
export function roundResources(resources: Record<string, string> | undefined): void {
  for (const name in resources) {
    const quantity = resources[name]!
    if (/[un]$|e-[69]$/.test(quantity)) resources[name] = roundedUp(Quantity.parse(quantity))
  }
}

function roundedUp(quantity: Quantity): string {
  return Quantity.milli(quantity.scaledValue(-3), quantity.format).toString()
}

/** What is limited, and not asked for, is asked for to the limit. */
export function requestUpToLimits(resources: Draft<ResourceRequirements> | undefined): void {
  if (!resources?.limits) return
  resources.requests = { ...resources.limits, ...resources.requests }
}

export const resourceRequirementsRules = rules<ResourceRequirements>(ResourceRequirements, {
  defaults({ limits, requests }) {
    roundResources(limits)
    roundResources(requests)
  },
})

export const volumeResourceRequirementsRules = rules<VolumeResourceRequirements>(VolumeResourceRequirements, {
  defaults({ limits, requests }) {
    roundResources(limits)
    roundResources(requests)
  },
})
