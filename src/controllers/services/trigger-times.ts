import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import { keyOf } from '../../client/informers/informer.js'
import { compareText } from '../../schema/text-order.js'
import { readyCondition } from '../pods/readiness.js'

export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time'

interface ObservedTimes {
  readonly service: string
  readonly pods: ReadonlyMap<string, string>
}

/**
 * When the change happened that causes the next write, so that users can measure how long it takes to reach the nodes. A process compares
 * only what it has seen itself: after a restart the first time of each service is that of its creation.
 */
export class TriggerTimes {
  readonly #seen = new Map<string, ObservedTimes>()

  /** The earliest change since the last call for this service; undefined if nothing with a time has changed. */
  next(service: Service, pods: readonly Pod[]): string | undefined {
    const key = keyOf(service)
    const before = this.#seen.get(key)
    const created = service.metadata.creationTimestamp!
    const times = new Map(pods.flatMap(timeOf))
    this.#seen.set(key, { service: created, pods: times })
    if (!before) return created
    const changed = [...times].filter(([name, time]) => compareText(time, before.pods.get(name) ?? '') > 0)
    const all = [...changed.map(([, time]) => time), ...(compareText(created, before.service) > 0 ? [created] : [])]
    return all.sort(compareText)[0]
  }

  forget(key: string): void {
    this.#seen.delete(key)
  }
}

function timeOf(pod: Pod): readonly (readonly [name: string, time: string])[] {
  const time = readyCondition(pod)?.lastTransitionTime
  return time ? [[pod.metadata.name!, time]] : []
}

/** The annotations with this time, or without any. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Readonly<Record<string, string>> {
  const { [triggerTimeAnnotation]: _, ...rest } = annotations ?? {}
  return time === undefined ? rest : { ...rest, [triggerTimeAnnotation]: time }
}
