import type { Verdict } from '../status/situation.js'
import type { Admission } from './admitting-node.js'
import { refusal } from './refusal.js'

/** Only some runtimes can leave out the groups that an image gives its user. */
export function supplementalGroupsRefusal({ pod: { spec }, on: { node } }: Admission): Verdict | undefined {
  if (spec.securityContext?.supplementalGroupsPolicy !== 'Strict') return undefined
  if (node.status?.features?.supplementalGroupsPolicy) return undefined
  return refusal(
    'SupplementalGroupsPolicyNotSupported',
    'SupplementalGroupsPolicy=Strict is not supported in this node',
  )
}
