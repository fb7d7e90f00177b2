import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { metadataOf } from './info.js'

interface Condition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string
}

/** How much a phase is worth; one that is over is worth as little as one that has not begun. */
const phases: Readonly<Record<string, number>> = { Running: 2, Unknown: 1 }

/**
 * Puts first what is of most use: pods that are on a node, run and are ready; of several, the one that has been ready longest, has been
 * restarted least, and is the oldest.
 */
export function byUse(left: JsonObject, right: JsonObject): number {
  const [one, other] = [worth(left), worth(right)]
  for (const [index, value] of one.entries()) if (value !== other[index]) return other[index]! - value
  return 0
}

/** More is better, the first that differs decides. */
function worth(pod: JsonObject): readonly number[] {
  const status = objectIn(pod, 'status') ?? {}
  const conditions = (status.conditions ?? []) as unknown as readonly Condition[]
  const ready = conditions.find((condition) => condition.type === 'Ready' && condition.status === 'True')
  const containers = (status.containerStatuses ?? []) as unknown as readonly { readonly restartCount?: number }[]
  return [
    objectIn(pod, 'spec')?.nodeName ? 1 : 0,
    phases[String(status.phase)] ?? 0,
    ready ? 1 : 0,
    ready ? -timeOf(ready.lastTransitionTime) : 0,
    -Math.max(0, ...containers.map(({ restartCount = 0 }) => restartCount)),
    -timeOf(metadataOf(pod).creationTimestamp),
  ]
}

/** What has no time is as new as can be. */
function timeOf(text: string | undefined): number {
  return text === undefined ? Number.MAX_VALUE : Date.parse(text)
}
