import type { AggregationRule, ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import type { ClusterRoleBinding } from '../../../api/rbac/v1/cluster-role-binding.js'
import type { Role } from '../../../api/rbac/v1/role.js'
import type { RoleBinding, Subject } from '../../../api/rbac/v1/role-binding.js'
import { componentBindings, namespacedBindings } from './bootstrap-bindings.js'
import { componentRoles } from './bootstrap-component-roles.js'
import { controllerRoles } from './bootstrap-controller-roles.js'
import { namespacedRoles } from './bootstrap-namespaced-roles.js'
import { aggregated, aggregatedInto, userRoles } from './bootstrap-user-roles.js'
import { ruleOf } from './rule-text.js'

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1` as const
const aggregationLabel = (role: string) => `${group}/aggregate-to-${role}`

/** Roles and bindings of which a cluster has these, whatever else it has. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly ClusterRole[]
  readonly clusterRoleBindings: readonly ClusterRoleBinding[]
  readonly roles: readonly Role[]
  readonly roleBindings: readonly RoleBinding[]
}

export function bootstrapPolicy(): BootstrapPolicy {
  return {
    clusterRoles: [
      ...userClusterRoles(),
      ...namedClusterRoles(componentRoles, ''),
      ...namedClusterRoles(controllerRoles, controllerPrefix),
    ],
    clusterRoleBindings: [...componentClusterBindings(), ...controllerBindings()],
    roles: Object.entries(namespacedRoles).flatMap(([namespace, roles]) =>
      Object.entries(roles).map(([name, rules]) => ({
        apiVersion,
        kind: 'Role' as const,
        metadata: metadataOf(name, { namespace }),
        rules: rules.map(ruleOf),
      })),
    ),
    roleBindings: Object.entries(namespacedBindings).flatMap(([namespace, bindings]) =>
      Object.entries(bindings).map(([name, { role = name, subjects }]) => ({
        apiVersion,
        kind: 'RoleBinding' as const,
        metadata: metadataOf(name, { namespace }),
        subjects: subjects.map(subjectOf),
        roleRef: { apiGroup: group, kind: 'Role', name: role },
      })),
    ),
  }
}

const controllerPrefix = 'system:controller:'

/** Marked as what the server itself put there, and keeps up to date unless somebody says no. */
function metadataOf(name: string, { namespace, labels }: { namespace?: string; labels?: object } = {}) {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [autoUpdate]: 'true' },
  }
}

export const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate'

function namedClusterRoles(roles: Readonly<Record<string, readonly string[]>>, prefix: string): ClusterRole[] {
  return Object.entries(roles).map(([name, rules]) => ({
    apiVersion,
    kind: 'ClusterRole',
    metadata: metadataOf(`${prefix}${name}`),
    rules: rules.map(ruleOf),
  }))
}

/** What people are given: three roles are the sum of others. */
function userClusterRoles(): ClusterRole[] {
  const plain = Object.entries(userRoles).map(([name, rules]) => ({ name, rules: rules.map(ruleOf) }))
  const sums = aggregated.map((name) => ({ name, rules: null, aggregationRule: aggregationOf(name) }))
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

function controllerBindings(): ClusterRoleBinding[] {
  return Object.keys(controllerRoles).map((name) =>
    clusterBinding(`${controllerPrefix}${name}`, [`ServiceAccount kube-system/${name}`]),
  )
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

/** `Group system:masters`, `ServiceAccount kube-system/kube-dns` */
function subjectOf(text: string): Subject {
  const [kind = '', who = ''] = text.split(' ')
  if (kind !== 'ServiceAccount') return { kind, apiGroup: group, name: who }
  const [namespace = '', name = ''] = who.split('/')
  return { kind, name, namespace }
}
