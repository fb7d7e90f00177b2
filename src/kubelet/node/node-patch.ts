import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import { builtin } from '../../api/scheme.js'
import type { JsonObject } from '../../schema/declaration.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { sameJson } from '../../schema/json-value.js'
import { diffStrategicPatch } from '../../schema/patch/strategic-diff.js'

/** Converts a Node to the form in which the API server returns it. Otherwise equal values in different notation would look like changes. */
export function canonicalNode(node: Node): Node {
  return decodeValue(builtin.type('core/v1.Node'), node, 'Ignore').object as unknown as Node
}

/** Compares two canonical Nodes, ignoring heartbeats. */
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
 * Returns the patch between two canonical Nodes. It keeps changes of other writers, except to addresses: their type is not a unique merge
 * key, so the list is replaced as a whole.
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
