import { int32, list, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import type { NodeSelector, NodeSelectorTerm } from './affinity/node-selector.js'

export const Affinity = schema('core/v1.Affinity', {
  optional: {
    nodeAffinity: ref<NodeAffinity>(1, 'core/v1.NodeAffinity'),
    podAffinity: ref<PodAffinity>(2, 'core/v1.PodAffinity'),
    podAntiAffinity: ref<PodAntiAffinity>(3, 'core/v1.PodAntiAffinity'),
  },
})
export interface Affinity extends Infer<typeof Affinity> {}

export const NodeAffinity = schema('core/v1.NodeAffinity', {
  optional: {
    requiredDuringSchedulingIgnoredDuringExecution: ref<NodeSelector>(1, 'core/v1.NodeSelector'),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      2,
      ref<PreferredSchedulingTerm>('core/v1.PreferredSchedulingTerm'),
    ),
  },
})
export interface NodeAffinity extends Infer<typeof NodeAffinity> {}

export const PreferredSchedulingTerm = schema('core/v1.PreferredSchedulingTerm', {
  required: {
    weight: int32(1),
    preference: ref<NodeSelectorTerm>(2, 'core/v1.NodeSelectorTerm'),
  },
})
export interface PreferredSchedulingTerm extends Infer<typeof PreferredSchedulingTerm> {}

export const PodAffinity = schema('core/v1.PodAffinity', {
  optional: {
    requiredDuringSchedulingIgnoredDuringExecution: list(1, ref<PodAffinityTerm>('core/v1.PodAffinityTerm')),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      2,
      ref<WeightedPodAffinityTerm>('core/v1.WeightedPodAffinityTerm'),
    ),
  },
})
export interface PodAffinity extends Infer<typeof PodAffinity> {}

export const WeightedPodAffinityTerm = schema('core/v1.WeightedPodAffinityTerm', {
  required: {
    weight: int32(1),
    podAffinityTerm: ref<PodAffinityTerm>(2, 'core/v1.PodAffinityTerm'),
  },
})
export interface WeightedPodAffinityTerm extends Infer<typeof WeightedPodAffinityTerm> {}

export const PodAffinityTerm = schema('core/v1.PodAffinityTerm', {
  required: {
    topologyKey: string(3),
  },
  optional: {
    labelSelector: ref<LabelSelector>(1, 'meta/v1.LabelSelector'),
    namespaces: list(2, string),
    namespaceSelector: ref<LabelSelector>(4, 'meta/v1.LabelSelector'),
    matchLabelKeys: list(5, string),
    mismatchLabelKeys: list(6, string),
  },
})
export interface PodAffinityTerm extends Infer<typeof PodAffinityTerm> {}

export const PodAntiAffinity = schema('core/v1.PodAntiAffinity', {
  optional: {
    requiredDuringSchedulingIgnoredDuringExecution: list(1, ref<PodAffinityTerm>('core/v1.PodAffinityTerm')),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      2,
      ref<WeightedPodAffinityTerm>('core/v1.WeightedPodAffinityTerm'),
    ),
  },
})
export interface PodAntiAffinity extends Infer<typeof PodAntiAffinity> {}
