import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const Role = kind('rbac/v1.Role', {
  optional: {
    metadata: objectMetadata,
    rules: list(2, ref<PolicyRule>('rbac/v1.PolicyRule'), { always: true }),
  },
  resource: { plural: 'roles', namespaced: true, columns: [nameColumn, column('Created At', { type: 'date' })] },
})
export interface Role extends Instance<typeof Role> {}

export const PolicyRule = schema('rbac/v1.PolicyRule', {
  required: {
    verbs: list(1, string),
  },
  optional: {
    apiGroups: list(2, string),
    resources: list(3, string),
    resourceNames: list(4, string),
    nonResourceURLs: list(5, string),
  },
})
export interface PolicyRule extends Infer<typeof PolicyRule> {}
