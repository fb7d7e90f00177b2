import {
  enumeration,
  int32,
  int64,
  intOrString,
  list,
  map,
  oneOf,
  ref,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const UnhealthyPodEvictionPolicyType = enumeration('policy/v1.UnhealthyPodEvictionPolicyType', [
  'IfHealthyBudget',
  'AlwaysAllow',
])
export type UnhealthyPodEvictionPolicyType = Values<typeof UnhealthyPodEvictionPolicyType>

export const PodDisruptionBudget = kind('policy/v1.PodDisruptionBudget', {
  optional: {
    metadata: objectMetadata,
    spec: ref<PodDisruptionBudgetSpec>(2, 'policy/v1.PodDisruptionBudgetSpec', { always: true }),
    status: ref<PodDisruptionBudgetStatus>(3, 'policy/v1.PodDisruptionBudgetStatus', { always: true }),
  },
  resource: {
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Min Available'),
      column('Max Unavailable'),
      column('Allowed Disruptions', { type: 'integer' }),
      ageColumn,
    ],
  },
})
export interface PodDisruptionBudget extends Instance<typeof PodDisruptionBudget> {}

export const PodDisruptionBudgetSpec = schema('policy/v1.PodDisruptionBudgetSpec', {
  optional: {
    minAvailable: intOrString(1),
    selector: ref<LabelSelector>(2, 'meta/v1.LabelSelector', { patch: 'replace' }),
    maxUnavailable: intOrString(3),
    unhealthyPodEvictionPolicy: oneOf(4, UnhealthyPodEvictionPolicyType, { keepZero: true }),
  },
})
export interface PodDisruptionBudgetSpec extends Infer<typeof PodDisruptionBudgetSpec> {}

export const PodDisruptionBudgetStatus = schema('policy/v1.PodDisruptionBudgetStatus', {
  optional: {
    observedGeneration: int64(1),
    disruptedPods: map(2, time),
    disruptionsAllowed: int32(3, { always: true }),
    currentHealthy: int32(4, { always: true }),
    desiredHealthy: int32(5, { always: true }),
    expectedPods: int32(6, { always: true }),
    conditions: list(7, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface PodDisruptionBudgetStatus extends Infer<typeof PodDisruptionBudgetStatus> {}
