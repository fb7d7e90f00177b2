import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import { builtin } from '../../api/scheme.js'
import type { JsonObject } from '../../schema/declaration.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { sameJson } from '../../schema/json-value.js'
import { diffStrategicPatch } from '../../schema/patch/strategic-diff.js'

/**
 * A Node in the form in which the API server gives it back. What is to be told is brought to it first: what is written differently and
 * says the same would look like a change each time.
 */
export function canonicalNode(node: Node): Node {
  return decodeValue(builtin.type('core/v1.Node'), node, 'Ignore').object as unknown as Node
}

/** Whether there is anything to tell besides that the node is still there. Both are canonical. */
export function hasChanged(before: Node, after: Node): boolean {
  const [one, other] = [before, after].map(({ metadata: { labels, annotations }, status }) => ({
    labels: labels ?? {},
    annotations: annotations ?? {},
    status: { ...status, conditions: (status.conditions ?? []).map(withoutHeartbeat) },
  }))
  return !sameJson(one, other)
}

function withoutHeartbeat({ lastHeartbeatTime: _, ...condition }: NodeCondition): object {
  return condition
}

/**
 * What makes one of the other, both canonical. It takes nothing back that somebody else wrote meanwhile, except addresses: of these there may be several
 * of one type, which no patch can tell apart, so that they are always told as a whole.
 */
export function nodePatch(before: Node, after: Node): JsonObject {
  const type = builtin.type('core/v1.Node')
  const patch = diffStrategicPatch(type, before as unknown as JsonObject, after as unknown as JsonObject)
  const status = patch.status as JsonObject | undefined
  if (!status || sameJson(before.status.addresses, after.status.addresses)) return patch
  const { '$setElementOrder/addresses': _, ...rest } = status
  const addresses = [{ $patch: 'replace' }, ...((after.status.addresses ?? []) as unknown as JsonObject[])]
  return { ...patch, status: { ...rest, addresses } } as JsonObject
}
