import { enumeration, list, oneOf, openEnumeration, ref, string, time, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { ConditionStatus } from './condition-status.js'

export const NamespaceConditionType = openEnumeration('core/v1.NamespaceConditionType', [
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceDeletionContentFailure',
  'NamespaceDeletionGroupVersionParsingFailure',
  'NamespaceContentRemaining',
  'NamespaceFinalizersRemaining',
])
export type NamespaceConditionType = Values<typeof NamespaceConditionType>

export const FinalizerName = openEnumeration('core/v1.FinalizerName', ['kubernetes'])
export type FinalizerName = Values<typeof FinalizerName>

export const NamespacePhase = enumeration('core/v1.NamespacePhase', ['Active', 'Terminating'])
export type NamespacePhase = Values<typeof NamespacePhase>

export const Namespace = kind('core/v1.Namespace', {
  optional: {
    metadata: objectMetadata,
    spec: ref<NamespaceSpec>(2, 'core/v1.NamespaceSpec', { always: true }),
    status: ref<NamespaceStatus>(3, 'core/v1.NamespaceStatus', { always: true }),
  },
  resource: {
    plural: 'namespaces',
    shortNames: ['ns'],
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: { finalize: { verbs: ['update'] }, status: objectSubresource },
    columns: [nameColumn, column('Status'), ageColumn],
  },
})
export interface Namespace extends Instance<typeof Namespace> {}

export const NamespaceSpec = schema('core/v1.NamespaceSpec', {
  optional: {
    finalizers: list(1, FinalizerName),
  },
})
export interface NamespaceSpec extends Infer<typeof NamespaceSpec> {}

export const NamespaceStatus = schema('core/v1.NamespaceStatus', {
  optional: {
    phase: oneOf(1, NamespacePhase, { default: 'Active' }),
    conditions: list(2, ref<NamespaceCondition>('core/v1.NamespaceCondition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface NamespaceStatus extends Infer<typeof NamespaceStatus> {}

export const NamespaceCondition = schema('core/v1.NamespaceCondition', {
  required: {
    type: oneOf(1, NamespaceConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(4, { always: true }),
    reason: string(5),
    message: string(6),
  },
})
export interface NamespaceCondition extends Infer<typeof NamespaceCondition> {}
