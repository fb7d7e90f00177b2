import type { Clock } from '../../base/clock.js'
import { TokenBucket } from '../../base/token-bucket.js'
import { formatTime } from '../../schema/values/time.js'
import type { DraftEvent } from './draft-event.js'
import { RecentMap } from './recent-map.js'

/** All numbers are upstream's. */
const remembered = 4096
/** From so many different messages on, in so many milliseconds, what differs only by the message becomes one Event. */
const similarAtMost = 10
const similarWithin = 600_000
/** A component may tell so many Events of one object at once, and one more every five minutes. */
const spam = { burst: 25, rate: 1 / 300 }

/** Written for one like it before: that one is to be updated. */
export interface CorrelatedEvent {
  readonly event: DraftEvent
  readonly isRepeated: boolean
}

interface Similar {
  readonly messages: Set<string>
  lastTime: number
}

type Observation = Pick<DraftEvent, 'count' | 'firstTimestamp'> & { readonly name: string }

/** Makes few Events out of many: the same is counted, the similar is combined, and too many about one object are dropped. */
export class Correlator {
  readonly #clock: Clock
  readonly #newName: (object: string) => string
  readonly #similar = new RecentMap<Similar>(remembered)
  readonly #observations = new RecentMap<Observation>(remembered)
  readonly #buckets = new RecentMap<TokenBucket>(remembered)

  constructor(clock: Clock, newName: (object: string) => string) {
    this.#clock = clock
    this.#newName = newName
  }

  /** Undefined if the event is one too many. It counts all the same. */
  correlate(draft: DraftEvent): CorrelatedEvent | undefined {
    const { event, key } = this.#combine(draft)
    const observed = this.#count(event, key)
    return this.#bucket(event).tryTake() ? { event: observed, isRepeated: observed.count > 1 } : undefined
  }

  #combine(event: DraftEvent): { readonly event: DraftEvent; readonly key: string } {
    const key = similarityOf(event)
    const similar = this.#similarTo(key)
    similar.messages.add(event.message)
    if (similar.messages.size < similarAtMost) return { event, key: identityOf(event) }
    similar.messages.delete(similar.messages.values().next().value!)
    return { event: this.#combined(event), key }
  }

  #similarTo(key: string): Similar {
    const now = this.#clock.monotonic()
    const known = this.#similar.get(key)
    const isRecent = known !== undefined && now - known.lastTime <= similarWithin
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
      bucket = new TokenBucket(this.#clock, spam)
      this.#buckets.set(key, bucket)
    }
    return bucket
  }
}

function repeated(event: DraftEvent, { name, count, firstTimestamp }: Observation): DraftEvent {
  return { ...event, metadata: { ...event.metadata, name }, count: count + 1, firstTimestamp }
}

/** Whom it is from and what it is about. */
function subjectOf({ source, involvedObject }: DraftEvent): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject
  return [source.component, source.host, kind, namespace, name, uid, apiVersion].join('\n')
}

/** The same for events that differ only by their messages. */
function similarityOf(event: DraftEvent): string {
  return [subjectOf(event), event.type, event.reason].join('\n')
}

function identityOf(event: DraftEvent): string {
  return [similarityOf(event), event.involvedObject.fieldPath, event.message].join('\n')
}
