import type { NamespaceCondition, NamespaceConditionType } from '../../api/core/v1/namespace.js'
import { groupResource } from '../runtime/discovery.js'
import type { DeletionProgress } from './remaining-content.js'

type ConditionUpdate = Pick<NamespaceCondition, 'status' | 'reason' | 'message'>

/** Reason and message of each condition that is false, in the order of the status. */
const falseConditions = {
  NamespaceDeletionDiscoveryFailure: ['ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  NamespaceDeletionContentFailure: [
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
} as const

/** The conditions of a namespace that is being deleted. A condition keeps its transition time while its status stays the same. */
export function deletionConditions(
  progress: DeletionProgress,
  before: readonly NamespaceCondition[],
  now: string,
): readonly NamespaceCondition[] {
  const updates = trueConditions(progress)
  const conditions = [...before]
  for (const [type, [reason, message]] of Object.entries(falseConditions) as [
    NamespaceConditionType,
    readonly [string, string],
  ][]) {
    const update = updates.get(type) ?? { status: 'False', reason, message }
    const index = conditions.findIndex((condition) => condition.type === type)
    const old = conditions[index]
    const lastTransitionTime = old?.status === update.status ? old.lastTransitionTime : now
    const condition = { type, ...update, lastTransitionTime }
    if (old) conditions[index] = condition
    else conditions.push(condition)
  }
  return conditions
}

/** Compares conditions without their times. */
export function areSameConditions(some: readonly NamespaceCondition[], others: readonly NamespaceCondition[]): boolean {
  return some.length === others.length && some.every((each, i) => textOf(each) === textOf(others[i]!))
}

function textOf({ type, status, reason, message }: NamespaceCondition): string {
  return JSON.stringify([type, status, reason, message])
}

function trueConditions({
  undiscovered,
  remaining,
}: DeletionProgress): ReadonlyMap<NamespaceConditionType, ConditionUpdate> {
  const updates = new Map<NamespaceConditionType, ConditionUpdate>()
  const add = (type: NamespaceConditionType, reason: string, message: string) =>
    updates.set(type, { status: 'True', reason, message })
  const failures = remaining.flatMap(({ failure }) => failure ?? []).sort()
  const contents = remaining.filter(({ count }) => count > 0)
  const finalizers = totals(contents.flatMap((each) => [...each.finalizers]))
  if (undiscovered !== undefined) add('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', undiscovered)
  if (failures.length > 0)
    add(
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
    )
  if (contents.length > 0) {
    const each = contents.map(({ resource, count }) => `${groupResource(resource)} has ${count} resource instances`)
    add('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${each.sort().join(', ')}`)
  }
  if (finalizers.size > 0) {
    const each = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
    add(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${each.sort().join(', ')}`,
    )
  }
  return updates
}

function totals(counts: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}
