import { sameJson } from '../../../schema/json-value.js'
import { LabelSelector } from '../../selectors/label-selector.js'
import type { ClusterRole } from './cluster-role.js'
import type { PolicyRule } from './role.js'

/** The rules of an aggregated cluster role: the distinct rules of all selected roles, in the order of role names. */
export function aggregatedRules(role: ClusterRole, roles: readonly ClusterRole[]): readonly PolicyRule[] {
  const others = roles.filter(({ metadata }) => metadata.name !== role.metadata.name).sort(byName)
  const rules: PolicyRule[] = []
  for (const rule of selectedRules(role, others)) if (!rules.some((known) => isSame(known, rule))) rules.push(rule)
  return rules
}

function selectedRules({ aggregationRule }: ClusterRole, others: readonly ClusterRole[]): readonly PolicyRule[] {
  return (aggregationRule?.clusterRoleSelectors ?? []).flatMap((selector) => {
    const { matches } = LabelSelector.from(selector)
    return others.filter(({ metadata }) => matches(metadata.labels ?? {})).flatMap(({ rules }) => rules ?? [])
  })
}

function isSame(one: PolicyRule, other: PolicyRule): boolean {
  return sameJson(one, other)
}

function byName(one: ClusterRole, other: ClusterRole): number {
  return (one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1
}
