import type { NamespaceCondition, NamespaceConditionType } from '../../api/core/v1/namespace.js'
import { groupResource } from '../runtime/discovery.js'
import type { Emptying } from './remaining.js'

type Finding = Pick<NamespaceCondition, 'status' | 'reason' | 'message'>

/** What is said of each, in this order, when there is nothing to complain about. */
const fine = {
  NamespaceDeletionDiscoveryFailure: ['ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  NamespaceDeletionContentFailure: [
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
} as const

/** What the status of a namespace tells of its end. Each condition keeps its time as long as it stays true or stays false. */
export function conditionsOf(
  emptying: Emptying,
  before: readonly NamespaceCondition[],
  now: string,
): readonly NamespaceCondition[] {
  const findings = findingsOf(emptying)
  const conditions = [...before]
  for (const [type, [reason, message]] of Object.entries(fine) as [
    NamespaceConditionType,
    readonly [string, string],
  ][]) {
    const finding = findings.get(type) ?? { status: 'False', reason, message }
    const place = conditions.findIndex((condition) => condition.type === type)
    const old = conditions[place]
    const lastTransitionTime = old?.status === finding.status ? old.lastTransitionTime : now
    const condition = { type, ...finding, lastTransitionTime }
    if (old) conditions[place] = condition
    else conditions.push(condition)
  }
  return conditions
}

/** Whether they say the same. */
export function areSame(some: readonly NamespaceCondition[], others: readonly NamespaceCondition[]): boolean {
  return some.length === others.length && some.every((each, i) => says(each) === says(others[i]!))
}

function says({ type, status, reason, message }: NamespaceCondition): string {
  return JSON.stringify([type, status, reason, message])
}

function findingsOf({ undiscovered, remaining }: Emptying): ReadonlyMap<NamespaceConditionType, Finding> {
  const findings = new Map<NamespaceConditionType, Finding>()
  const find = (type: NamespaceConditionType, reason: string, message: string) =>
    findings.set(type, { status: 'True', reason, message })
  const failures = remaining.flatMap(({ failure }) => failure ?? []).sort()
  const contents = remaining.filter(({ count }) => count > 0)
  const finalizers = totals(contents.flatMap((each) => [...each.finalizers]))
  if (undiscovered !== undefined) find('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', undiscovered)
  if (failures.length > 0)
    find(
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
    )
  if (contents.length > 0) {
    const each = contents.map(({ resource, count }) => `${groupResource(resource)} has ${count} resource instances`)
    find('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${each.sort().join(', ')}`)
  }
  if (finalizers.size > 0) {
    const each = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
    find(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${each.sort().join(', ')}`,
    )
  }
  return findings
}

function totals(counts: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}
