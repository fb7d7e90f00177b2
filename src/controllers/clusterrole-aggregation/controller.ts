import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import { isSame } from '../../api/validation/immutability.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { aggregatedRules } from './aggregated-rules.js'

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

async function aggregate(name: string, { client, informers }: ReconcileContext): Promise<void> {
  const roles = informers.of(ClusterRole)
  const role = roles.get(name)
  if (!role?.aggregationRule) return
  const rules = aggregatedRules(role, roles.list())
  if (isSame(rules, role.rules ?? [])) return
  await client.resource(ClusterRole).apply({ metadata: { name }, rules }, { fieldManager, force: true })
}
