import type { Event } from '../../../api/core/v1/event.js'
import { rateExceeded } from '../../../api/errors.js'
import type { Clock } from '../../../base/clock.js'
import { TokenBucket } from '../../../base/token-bucket.js'
import { aggregateMessages } from '../../../schema/field-errors.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isWrite } from '../request.js'
import {
  type EventLimit,
  type EventLimitType,
  type EventRateLimitConfiguration,
  eventRateLimitConfiguration,
} from './configuration.js'

/** Limits the rate of events, so that one noisy client cannot keep the others from writing theirs. */
export const eventRateLimit = defineAdmissionPlugin<Event, EventRateLimitConfiguration>({
  name: 'EventRateLimit',
  position: 180,
  configuration: eventRateLimitConfiguration,
  create({ environment: { clock } }, configuration) {
    if (!configuration)
      throw new Error('EventRateLimit has no limits: set them in the file of --admission-control-config-file')
    const counters = configuration.limits.map((limit) => new EventCounter(limit, clock))
    return {
      handles: (request) => isWrite(request) && !request.dryRun && isEvent(request.resource.groupResource),
      validate(request) {
        // Each limit counts every event, even if another limit rejects it.
        const exceeded = counters.flatMap((counter) => counter.count(request))
        if (exceeded.length > 0) throw rateExceeded(aggregateMessages(exceeded))
      },
    }
  },
})

const groups: ReadonlySet<string> = new Set(['', 'events.k8s.io'])

/** Events of both groups are the same objects. */
function isEvent({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return resource === 'events' && groups.has(group)
}

const keys: Readonly<Record<EventLimitType, (request: AdmissionRequest<Event>) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: ({ object }) => {
    const { source = {}, involvedObject: about } = object!
    const fields = [source.component, source.host, about.kind, about.namespace, about.name, about.uid, about.apiVersion]
    return fields.join('')
  },
}

const defaultCacheSize = 4096

/** Counts events against one limit: a token bucket per key. Removes the least recently used bucket if there are too many. */
class EventCounter {
  readonly #limit: EventLimit
  readonly #clock: Clock
  readonly #size: number
  /** Least recently used first. */
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
    this.#size = limit.cacheSize || defaultCacheSize
  }

  /** Returns the reason if the request exceeds the limit. */
  count(request: AdmissionRequest<Event>): readonly string[] {
    const { type } = this.#limit
    const key = keys[type](request)
    return this.#bucket(key).tryTake() ? [] : [`limit reached on type ${type} for key ${key}`]
  }

  #bucket(key: string): TokenBucket {
    const { qps, burst } = this.#limit
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#clock, { rate: qps, burst })
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > this.#size) this.#buckets.delete(this.#buckets.keys().next().value!)
    return bucket
  }
}
