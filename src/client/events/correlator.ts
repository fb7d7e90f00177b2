import type { Clock } from '../../base/clock.js'
import { TokenBucket } from '../../base/token-bucket.js'
import { formatTime } from '../../schema/values/time.js'
import type { DraftEvent } from './draft-event.js'

/** Upstream's limits. */
const cacheSize = 4096
/** After this many different messages within this many milliseconds, events that differ only by their message become one Event. */
const maxSimilar = 10
const similarInterval = 600_000
/** A component may write `burst` Events about one object at once, and then one every five minutes. */
const spamLimit = { burst: 25, rate: 1 / 300 }

/** An event to write. If `isRepeated`, an Event like it was written before and is updated. */
export interface CorrelatedEvent {
  readonly event: DraftEvent
  readonly isRepeated: boolean
}

interface Similar {
  readonly messages: Set<string>
  lastTime: number
}

type Observation = Pick<DraftEvent, 'count' | 'firstTimestamp'> & { readonly name: string }

/** Reduces the number of Events: counts equal events, combines similar ones, and drops those above the rate limit of an object. */
export class Correlator {
  readonly #clock: Clock
  readonly #newName: (object: string) => string
  readonly #similar = new RecentMap<Similar>(cacheSize)
  readonly #observations = new RecentMap<Observation>(cacheSize)
  readonly #buckets = new RecentMap<TokenBucket>(cacheSize)

  constructor(clock: Clock, newName: (object: string) => string) {
    this.#clock = clock
    this.#newName = newName
  }

  /** Returns undefined if the event exceeds the rate limit. It is counted all the same. */
  correlate(draft: DraftEvent): CorrelatedEvent | undefined {
    const { event, key } = this.#combine(draft)
    const observed = this.#count(event, key)
    return this.#bucket(event).tryTake() ? { event: observed, isRepeated: observed.count > 1 } : undefined
  }

  #combine(event: DraftEvent): { readonly event: DraftEvent; readonly key: string } {
    const key = similarityOf(event)
    const similar = this.#similarTo(key)
    similar.messages.add(event.message)
    if (similar.messages.size < maxSimilar) return { event, key: identityOf(event) }
    similar.messages.delete(similar.messages.values().next().value!)
    return { event: this.#combined(event), key }
  }

  #similarTo(key: string): Similar {
    const now = this.#clock.monotonic()
    const known = this.#similar.get(key)
    const isRecent = known !== undefined && now - known.lastTime <= similarInterval
    const similar = isRecent ? known : { messages: new Set<string>(), lastTime: now }
    similar.lastTime = now
    this.#similar.set(key, similar)
    return similar
  }

  #combined(event: DraftEvent): DraftEvent {
    const now = formatTime(this.#clock.now())
    const { namespace } = event.metadata
    return {
      ...event,
      metadata: { name: this.#newName(event.involvedObject.name!), namespace },
      message: `(combined from similar events): ${event.message}`,
      firstTimestamp: now,
      lastTimestamp: now,
    }
  }

  #count(event: DraftEvent, key: string): DraftEvent {
    const known = this.#observations.get(key)
    const observed = known ? repeated(event, known) : event
    const { metadata, count, firstTimestamp } = observed
    this.#observations.set(key, { name: metadata.name, count, firstTimestamp })
    return observed
  }

  #bucket(event: DraftEvent): TokenBucket {
    const key = subjectOf(event)
    let bucket = this.#buckets.get(key)
    if (!bucket) {
      bucket = new TokenBucket(this.#clock, spamLimit)
      this.#buckets.set(key, bucket)
    }
    return bucket
  }
}

function repeated(event: DraftEvent, { name, count, firstTimestamp }: Observation): DraftEvent {
  return { ...event, metadata: { ...event.metadata, name }, count: count + 1, firstTimestamp }
}

/** Identifies the component and the object. */
function subjectOf({ source, involvedObject }: DraftEvent): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject
  return [source.component, source.host, kind, namespace, name, uid, apiVersion].join('\n')
}

/** The same for events that differ only by their message. */
function similarityOf(event: DraftEvent): string {
  return [subjectOf(event), event.type, event.reason].join('\n')
}

function identityOf(event: DraftEvent): string {
  return [similarityOf(event), event.involvedObject.fieldPath, event.message].join('\n')
}

/** A map of limited size. When it is full, it drops the entry that was not used for the longest time. */
class RecentMap<V> {
  readonly #capacity: number
  /** The least recently used entry comes first. */
  readonly #entries = new Map<string, V>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value!)
  }
}
