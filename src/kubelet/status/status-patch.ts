import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { builtin } from '../../api/scheme.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isEmptyObject } from '../../schema/json-value.js'
import { diffStrategicPatch } from '../../schema/patch/strategic-diff.js'

const type = builtin.type('core/v1.PodStatus')

/**
 * The strategic merge patch that gives a pod this status; undefined if it has it. It is for the very object that was looked at, as it was
 * looked at: a request that was given up, and reaches the server late, finds that out.
 */
export function statusPatch({ metadata, status }: Pod, wanted: PodStatus): object | undefined {
  const patch = diffStrategicPatch(type, said(status ?? {}), said(wanted))
  if (isEmptyObject(patch)) return undefined
  return { metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion }, status: patch }
}

/** Without fields that say nothing: the server writes some of them all the same. */
function said(status: PodStatus): JsonObject {
  return plain(status as JsonValue) as JsonObject
}

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member as JsonValue)]))
}
