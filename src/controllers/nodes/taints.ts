import { Node } from '../../api/core/v1/node.js'
import type { Taint } from '../../api/core/v1/taint.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'

/** A taint is known by its key and its effect. */
export type TaintName = Pick<Taint, 'key' | 'effect'>

export interface TaintChange {
  readonly add?: readonly TaintName[]
  readonly remove?: readonly TaintName[]
  /** Since when those exist that are added. */
  readonly now: string
}

const triesAtMost = 5

/** Changes the taints of a node and no others: the list is written whole, so only if nobody else has written meanwhile. */
export async function changeTaints(client: Client, node: Node, change: TaintChange): Promise<void> {
  const nodes = client.resource(Node)
  const name = node.metadata.name!
  let current: Node = node
  for (let tries = 1; ; tries++) {
    const taints = changed(current.spec.taints ?? [], change)
    if (!taints) return
    const { resourceVersion } = current.metadata
    const patch = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } }
    try {
      await nodes.patch(name, 'strategic', patch)
      return
    } catch (error) {
      if (!hasReason(error, 'Conflict') || tries === triesAtMost) throw error
      current = await nodes.get(name)
    }
  }
}

/** Undefined if nothing changes. */
export function changed(
  taints: readonly Taint[],
  { add = [], remove = [], now }: TaintChange,
): readonly Taint[] | undefined {
  const kept = taints.filter((taint) => !hasTaint(remove, taint))
  const added = add.filter((taint) => !hasTaint(kept, taint)).map((taint) => ({ ...taint, timeAdded: now }))
  return kept.length === taints.length && added.length === 0 ? undefined : [...kept, ...added]
}

export function hasTaint(taints: readonly TaintName[] | undefined, { key, effect }: TaintName): boolean {
  return taints?.some((taint) => taint.key === key && taint.effect === effect) ?? false
}
