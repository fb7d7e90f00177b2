import type { GraphNode } from './graph.js'
import { isBlocking, isDeletedInForeground } from './references.js'

/** Whether a dependent blocks an object that is deleted in the foreground. */
export function isBlocked(node: GraphNode): boolean {
  for (const _ of blockingDependents(node)) return true
  return false
}

function* blockingDependents({ uid, dependents }: GraphNode): Iterable<GraphNode> {
  for (const dependent of dependents) if (dependent.known && isBlocking(dependent.known, uid)) yield dependent
}

/**
 * Whether an object that is deleted in the foreground waits for itself: its dependents wait for their dependents, and so on, in a cycle. No
 * object of such a cycle would ever go.
 */
export function isInCycle(node: GraphNode): boolean {
  const seen = new Set<GraphNode>()
  const open = [...blockingDependents(node)]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next === node) return true
    if (seen.has(next) || !isDeletedInForeground(next.known?.metadata)) continue
    seen.add(next)
    open.push(...blockingDependents(next))
  }
  return false
}
