import { list, ref } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, nameColumn, schema } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { PolicyRule } from './role.js'

export const ClusterRole = kind('rbac/v1.ClusterRole', {
  optional: {
    metadata: objectMetadata,
    rules: list(2, ref<PolicyRule>('rbac/v1.PolicyRule'), { always: true }),
    aggregationRule: ref<AggregationRule>(3, 'rbac/v1.AggregationRule'),
  },
  resource: { plural: 'clusterroles', columns: [nameColumn, column('Created At', { type: 'date' })] },
})
export interface ClusterRole extends Instance<typeof ClusterRole> {}

export const AggregationRule = schema('rbac/v1.AggregationRule', {
  optional: {
    clusterRoleSelectors: list(1, ref<LabelSelector>('meta/v1.LabelSelector')),
  },
})
export interface AggregationRule extends Infer<typeof AggregationRule> {}
