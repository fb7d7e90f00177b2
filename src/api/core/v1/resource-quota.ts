import { enumeration, list, map, oneOf, quantity, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ResourceQuotaScope = enumeration('core/v1.ResourceQuotaScope', [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
])
export type ResourceQuotaScope = Values<typeof ResourceQuotaScope>

export const ScopeSelectorOperator = enumeration('core/v1.ScopeSelectorOperator', [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
])
export type ScopeSelectorOperator = Values<typeof ScopeSelectorOperator>

export const ResourceQuota = kind('core/v1.ResourceQuota', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ResourceQuotaSpec>(2, 'core/v1.ResourceQuotaSpec', { always: true }),
    status: ref<ResourceQuotaStatus>(3, 'core/v1.ResourceQuotaStatus', { always: true }),
  },
  resource: {
    plural: 'resourcequotas',
    returnsDeleted: true,
    shortNames: ['quota'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('Request'), column('Limit'), ageColumn],
  },
})
export interface ResourceQuota extends Instance<typeof ResourceQuota> {}

export const ResourceQuotaSpec = schema('core/v1.ResourceQuotaSpec', {
  optional: {
    hard: map(1, quantity, { goType: 'v1.ResourceList' }),
    scopes: list(2, ResourceQuotaScope),
    scopeSelector: ref<ScopeSelector>(3, 'core/v1.ScopeSelector'),
  },
})
export interface ResourceQuotaSpec extends Infer<typeof ResourceQuotaSpec> {}

export const ScopeSelector = schema('core/v1.ScopeSelector', {
  optional: {
    matchExpressions: list(1, ref<ScopedResourceSelectorRequirement>('core/v1.ScopedResourceSelectorRequirement')),
  },
  atomic: true,
})
export interface ScopeSelector extends Infer<typeof ScopeSelector> {}

export const ScopedResourceSelectorRequirement = schema('core/v1.ScopedResourceSelectorRequirement', {
  required: {
    scopeName: oneOf(1, ResourceQuotaScope),
    operator: oneOf(2, ScopeSelectorOperator),
  },
  optional: {
    values: list(3, string),
  },
})
export interface ScopedResourceSelectorRequirement extends Infer<typeof ScopedResourceSelectorRequirement> {}

export const ResourceQuotaStatus = schema('core/v1.ResourceQuotaStatus', {
  optional: {
    hard: map(1, quantity, { goType: 'v1.ResourceList' }),
    used: map(2, quantity, { goType: 'v1.ResourceList' }),
  },
})
export interface ResourceQuotaStatus extends Infer<typeof ResourceQuotaStatus> {}
