import { type ControllerRole, ruleFromText } from '../../../api/rbac/rule-text.js'
import type { AggregationRule, ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import type { ClusterRoleBinding } from '../../../api/rbac/v1/cluster-role-binding.js'
import type { Role } from '../../../api/rbac/v1/role.js'
import type { RoleBinding, Subject } from '../../../api/rbac/v1/role-binding.js'
import { componentBindings, type NamespacedBinding, namespacedBindings } from './bootstrap-bindings.js'
import { componentRoles, namespacedRoles } from './bootstrap-component-roles.js'
import { aggregatedInto, aggregatedRoles, userRoles } from './bootstrap-user-roles.js'

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1` as const
const aggregationLabel = (role: string) => `${group}/aggregate-to-${role}`

/** The default roles and bindings of a cluster. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly ClusterRole[]
  readonly clusterRoleBindings: readonly ClusterRoleBinding[]
  readonly roles: readonly Role[]
  readonly roleBindings: readonly RoleBinding[]
}

export function bootstrapPolicy(controllers: readonly ControllerRole[]): BootstrapPolicy {
  return {
    clusterRoles: [
      ...userClusterRoles(),
      ...Object.entries(componentRoles).map(([name, rules]) => clusterRole(name, rules)),
      ...controllers.flatMap(controllerClusterRoles),
    ],
    clusterRoleBindings: [...componentClusterBindings(), ...controllers.flatMap(controllerClusterBindings)],
    roles: [...componentNamespacedRoles(), ...controllers.flatMap(controllerNamespacedRoles)],
    roleBindings: [...componentNamespacedBindings(), ...controllers.flatMap(controllerNamespacedBindings)],
  }
}

/** Marks an object as a default of the server, which keeps it up to date unless an administrator turns that off. */
function metadataOf(name: string, { namespace, labels }: { namespace?: string; labels?: object } = {}) {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [autoUpdate]: 'true' },
  }
}

export const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate'

function clusterRole(name: string, rules: readonly string[]): ClusterRole {
  return { apiVersion, kind: 'ClusterRole', metadata: metadataOf(name), rules: rules.map(ruleFromText) }
}

function namespacedRole(namespace: string, name: string, rules: readonly string[]): Role {
  return { apiVersion, kind: 'Role', metadata: metadataOf(name, { namespace }), rules: rules.map(ruleFromText) }
}

function componentNamespacedRoles(): Role[] {
  return Object.entries(namespacedRoles).flatMap(([namespace, roles]) =>
    Object.entries(roles).map(([name, rules]) => namespacedRole(namespace, name, rules)),
  )
}

function componentNamespacedBindings(): RoleBinding[] {
  return Object.entries(namespacedBindings).flatMap(([namespace, bindings]) =>
    Object.entries(bindings).map(([name, binding]) => namespacedBinding(namespace, name, binding)),
  )
}

/** The roles for users; three of them aggregate others. */
function userClusterRoles(): ClusterRole[] {
  const plain = Object.entries(userRoles).map(([name, rules]) => ({ name, rules: rules.map(ruleFromText) }))
  const sums = aggregatedRoles.map((name) => ({ name, rules: null, aggregationRule: aggregationOf(name) }))
  return [...plain, ...sums].map(({ name, ...role }) => {
    const into = aggregatedInto[name]
    const labels = into === undefined ? {} : { [aggregationLabel(into)]: 'true' }
    return { apiVersion, kind: 'ClusterRole', metadata: metadataOf(name, { labels }), ...role } as ClusterRole
  })
}

function aggregationOf(name: string): AggregationRule {
  return { clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(name)]: 'true' } }] }
}

function componentClusterBindings(): ClusterRoleBinding[] {
  return Object.entries(componentBindings).map(([name, subjects]) => clusterBinding(name, subjects))
}

function clusterBinding(name: string, subjects: readonly string[]): ClusterRoleBinding {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: metadataOf(name),
    ...(subjects.length > 0 && { subjects: subjects.map(subjectOf) }),
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
  }
}

function namespacedBinding(namespace: string, name: string, { role = name, subjects }: NamespacedBinding): RoleBinding {
  return {
    apiVersion,
    kind: 'RoleBinding',
    metadata: metadataOf(name, { namespace }),
    subjects: subjects.map(subjectOf),
    roleRef: { apiGroup: group, kind: 'Role', name: role },
  }
}

function controllerClusterRoles(role: ControllerRole): readonly ClusterRole[] {
  return role.rules ? [clusterRole(roleNameOf(role), role.rules)] : []
}

function controllerClusterBindings(role: ControllerRole): readonly ClusterRoleBinding[] {
  return role.rules ? [clusterBinding(roleNameOf(role), [accountOf(role)])] : []
}

function controllerNamespacedRoles(role: ControllerRole): readonly Role[] {
  return Object.entries(role.namespacedRules ?? {}).map(([namespace, rules]) =>
    namespacedRole(namespace, roleNameOf(role), rules),
  )
}

function controllerNamespacedBindings(role: ControllerRole): readonly RoleBinding[] {
  return Object.keys(role.namespacedRules ?? {}).map((namespace) =>
    namespacedBinding(namespace, roleNameOf(role), { subjects: [accountOf(role)] }),
  )
}

function roleNameOf({ serviceAccount }: ControllerRole): string {
  return `system:controller:${serviceAccount}`
}

function accountOf({ serviceAccount }: ControllerRole): string {
  return `ServiceAccount kube-system/${serviceAccount}`
}

/** `Group system:masters`, `ServiceAccount kube-system/kube-dns` */
function subjectOf(text: string): Subject {
  const [kind = '', who = ''] = text.split(' ')
  if (kind !== 'ServiceAccount') return { kind, apiGroup: group, name: who }
  const [namespace = '', name = ''] = who.split('/')
  return { kind, name, namespace }
}
