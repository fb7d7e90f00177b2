import type { Event } from '../../../api/core/v1/event.js'
import { rateExceeded } from '../../../api/errors.js'
import type { Clock } from '../../../base/clock.js'
import { TokenBucket } from '../../../base/token-bucket.js'
import { aggregated } from '../../../schema/field-errors.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { EventLimit, EventLimitType, EventRateLimitConfiguration } from './configuration.js'

/** Who writes too many events is told to wait, so that those of others can still be written. */
export function eventRateLimit(clock: Clock, configuration: EventRateLimitConfiguration | undefined): AdmissionPlugin {
  if (!configuration)
    throw new Error('EventRateLimit has no limits: say them in the file of --admission-control-config-file')
  const counters = configuration.limits.map((limit) => new Counter(limit, clock))
  return {
    name: 'EventRateLimit',
    handles: ({ operation, resource, dryRun }) =>
      (operation === 'CREATE' || operation === 'UPDATE') && !dryRun && isEvent(resource.groupResource),
    validate(request) {
      // Each limit counts every event, also one that another limit refuses.
      const exceeded = counters.flatMap((counter) => counter.count(request))
      if (exceeded.length > 0) throw rateExceeded(aggregated(exceeded))
    },
  }
}

const groups: ReadonlySet<string> = new Set(['', 'events.k8s.io'])

/** Under either name they are the same objects. */
function isEvent({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return resource === 'events' && groups.has(group)
}

const keys: Readonly<Record<EventLimitType, (request: AdmissionRequest) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: ({ object }) => {
    const { source = {}, involvedObject: about } = object as Event
    const parts = [source.component, source.host, about.kind, about.namespace, about.name, about.uid, about.apiVersion]
    return parts.join('')
  },
}

const defaultCacheSize = 4096

/** One limit: a bucket for each key, of which those that were not asked for the longest are forgotten. */
class Counter {
  readonly #limit: EventLimit
  readonly #clock: Clock
  readonly #size: number
  /** In the order in which they were last asked. */
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
    this.#size = limit.cacheSize || defaultCacheSize
  }

  /** Why the request goes beyond the limit; nothing if it does not. */
  count(request: AdmissionRequest): readonly string[] {
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
