import type { ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import type { ClusterRoleBinding } from '../../../api/rbac/v1/cluster-role-binding.js'
import type { Role } from '../../../api/rbac/v1/role.js'
import type { RoleBinding } from '../../../api/rbac/v1/role-binding.js'
import { plainRules, ruleCells } from '../../auth/policy-rules.js'
import type { Describe } from '../context.js'
import { labelsAndAnnotations } from '../metadata.js'

export const describeRole: Describe<Role | ClusterRole> = ({ metadata, rules }, { page }) => {
  page.field('Name', metadata.name)
  labelsAndAnnotations(page, metadata)
  page.line(0, 'PolicyRule:')
  page.line(1, 'Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs')
  page.line(1, '---------', '-----------------', '--------------', '-----')
  for (const rule of plainRules(rules ?? [])) page.line(1, ...ruleCells(rule))
}

export const describeRoleBinding: Describe<RoleBinding | ClusterRoleBinding> = (binding, { page }) => {
  const { metadata, roleRef, subjects = [] } = binding
  page.field('Name', metadata.name)
  labelsAndAnnotations(page, metadata)
  page.line(0, 'Role:')
  page.field('Kind', roleRef.kind, 1)
  page.field('Name', roleRef.name, 1)
  page.line(0, 'Subjects:')
  page.line(1, 'Kind', 'Name', 'Namespace')
  page.line(1, '----', '----', '---------')
  for (const { kind, name, namespace = '' } of subjects) page.line(1, kind, name, namespace)
}
