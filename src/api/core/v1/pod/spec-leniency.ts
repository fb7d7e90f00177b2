import { fieldPath } from '../../../../schema/field-path.js'
import { type SpreadLeniency, validateTopologySpreadConstraints } from '../affinity/topology-spread-validation.js'
import { type AffinityLeniency, validateAffinity } from '../affinity/validation.js'
import type { PodSpec } from './spec.js'

const nowhere = fieldPath('spec')

/**
 * What is forgiven in an update because it was there before the rule was: a pod that could be created must be possible to change.
 * The whole rule is lifted, not for the one value only.
 */
export function lenienciesOf(old: PodSpec | undefined): AffinityLeniency & SpreadLeniency {
  if (!old?.affinity && !old?.topologySpreadConstraints) return {}
  const { affinity, topologySpreadConstraints } = old
  const nodeAffinity = affinity?.nodeAffinity && { nodeAffinity: affinity.nodeAffinity }
  return {
    anyNodeValue: validateAffinity(nodeAffinity, nowhere).length > 0,
    anyPodValue: validateAffinity({ ...affinity, nodeAffinity: undefined } as never, nowhere).length > 0,
    anySelector: validateTopologySpreadConstraints(topologySpreadConstraints, nowhere).length > 0,
  }
}
