import type { GraphNode } from './graph.js'
import { isBlocking, isWaiting } from './references.js'

/** Whether some dependent keeps an object, deleted in the foreground, from going. */
export function isBlocked(node: GraphNode): boolean {
  for (const _ of blockingDependents(node)) return true
  return false
}

function* blockingDependents({ uid, dependents }: GraphNode): Iterable<GraphNode> {
  for (const dependent of dependents) if (dependent.known && isBlocking(dependent.known, uid)) yield dependent
}

/**
 * Whether an object that waits does so, in the end, for itself: its dependents wait for theirs, and so on around. Nobody in such a circle
 * would ever go.
 */
export function waitsForItself(node: GraphNode): boolean {
  const seen = new Set<GraphNode>()
  const open = [...blockingDependents(node)]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next === node) return true
    if (seen.has(next) || !isWaiting(next.known?.metadata)) continue
    seen.add(next)
    open.push(...blockingDependents(next))
  }
  return false
}
