import { isSame } from '../../api/immutable-rules.js'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import type { PolicyRule } from '../../api/rbac/v1/role.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { selectorOf } from '../pods/selectors.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { World } from '../runtime/reconcile.js'

const fieldManager = 'clusterrole-aggregation-controller'

/** A role that says so has the rules of all roles that it selects. */
export function clusterRoleAggregation(): Controller {
  return controller('clusterrole-aggregation')
    .watches(ClusterRole, (_change, informers) => aggregated(informers))
    .reconcile(aggregate)
}

/** Any role may be one that another one selects, or selected. */
function* aggregated(informers: SharedInformers): Iterable<string> {
  for (const { metadata, aggregationRule } of informers.of(ClusterRole).list())
    if (aggregationRule) yield metadata.name!
}

async function aggregate(name: string, { client, informers }: World): Promise<void> {
  const roles = informers.of(ClusterRole)
  const role = roles.get(name)
  if (!role?.aggregationRule) return
  const rules = aggregatedRules(role, roles.list())
  if (isSame(rules, role.rules ?? [])) return
  await client.resource(ClusterRole).apply({ metadata: { name }, rules }, { fieldManager, force: true })
}

/** In the order of the selectors, then of the names of roles; each rule once. */
export function aggregatedRules(role: ClusterRole, all: Iterable<ClusterRole>): readonly PolicyRule[] {
  const others = [...all].filter(({ metadata }) => metadata.name !== role.metadata.name)
  others.sort((one, other) => (one.metadata.name! < other.metadata.name! ? -1 : 1))
  const rules: PolicyRule[] = []
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? [])
    for (const other of others.filter(({ metadata }) => selectorOf(selector).matches(metadata.labels ?? {})))
      rules.push(...(other.rules ?? []).filter((rule) => !rules.some((known) => isSame(rule, known))))
  return rules
}
