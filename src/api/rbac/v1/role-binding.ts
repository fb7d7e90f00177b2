import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema, wideColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const RoleBinding = kind('rbac/v1.RoleBinding', {
  required: {
    roleRef: ref<RoleRef>(3, 'rbac/v1.RoleRef'),
  },
  optional: {
    metadata: objectMetadata,
    subjects: list(2, ref<Subject>('rbac/v1.Subject')),
  },
  resource: {
    plural: 'rolebindings',
    namespaced: true,
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
export interface RoleBinding extends Instance<typeof RoleBinding> {}

export const RoleRef = schema('rbac/v1.RoleRef', {
  required: {
    kind: string(2),
    name: string(3),
  },
  optional: {
    apiGroup: string(1, { always: true }),
  },
  atomic: true,
})
export interface RoleRef extends Infer<typeof RoleRef> {}

export const Subject = schema('rbac/v1.Subject', {
  required: {
    kind: string(1),
    name: string(3),
  },
  optional: {
    apiGroup: string(2),
    namespace: string(4),
  },
  atomic: true,
})
export interface Subject extends Infer<typeof Subject> {}
