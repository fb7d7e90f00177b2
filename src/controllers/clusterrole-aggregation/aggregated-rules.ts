import type { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import type { PolicyRule } from '../../api/rbac/v1/role.js'
import { isSame } from '../../api/validation/immutability.js'
import { selectorOf } from '../pods/selectors.js'

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
