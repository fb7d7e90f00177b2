import { list, ref } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, wideColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { RoleRef, Subject } from './role-binding.js'

export const ClusterRoleBinding = kind('rbac/v1.ClusterRoleBinding', {
  required: {
    roleRef: ref<RoleRef>(3, 'rbac/v1.RoleRef'),
  },
  optional: {
    metadata: objectMetadata,
    subjects: list(2, ref<Subject>('rbac/v1.Subject')),
  },
  resource: {
    plural: 'clusterrolebindings',
    columns: [
      nameColumn,
      column('Role'),
      ageColumn,
      wideColumn('Users'),
      wideColumn('Groups'),
      wideColumn('ServiceAccounts'),
    ],
  },
})
export interface ClusterRoleBinding extends Instance<typeof ClusterRoleBinding> {}
