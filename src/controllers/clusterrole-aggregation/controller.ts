import { aggregatedRules } from '../../api/rbac/v1/aggregation.js'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import type { PolicyRule } from '../../api/rbac/v1/role.js'
import { isSame } from '../../api/validation/immutability.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { defineController } from '../definition.js'

const name = 'clusterrole-aggregation-controller'

/** Gives each ClusterRole with an aggregation rule the rules of all roles that it selects. */
export const definition = defineController({
  name,
  alias: 'clusterrole-aggregation',
  serviceAccount: name,
  rules: ['escalate get list patch update watch on clusterroles of rbac.authorization.k8s.io'],
  create: (controller) =>
    controller
      .watches(ClusterRole, (_change, informers) => aggregatedRoles(informers))
      .reconcile({
        async observe(key, { informers }) {
          const roles = informers.of(ClusterRole)
          const role = roles.get(key)
          return role?.aggregationRule ? { role, roles: [...roles.list()] } : undefined
        },
        decide,
        async act(rules, { role }, { client }) {
          const applied = { metadata: { name: role.metadata.name! }, rules }
          await client.resource(ClusterRole).apply(applied, { fieldManager: name, force: true })
        },
      }),
})

interface Observation {
  readonly role: ClusterRole
  readonly roles: readonly ClusterRole[]
}

/** The rules to write; undefined if the role has them. */
export function decide({ role, roles }: Observation): readonly PolicyRule[] | undefined {
  const rules = aggregatedRules(role, roles)
  return isSame(rules, role.rules ?? []) ? undefined : rules
}

/** Any role that changes may be one that an aggregated role selects, or selected. */
function* aggregatedRoles(informers: SharedInformers): Iterable<string> {
  for (const { metadata, aggregationRule } of informers.of(ClusterRole).list())
    if (aggregationRule) yield metadata.name!
}
