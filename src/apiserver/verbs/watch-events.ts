import type { KubeObject } from '../../api/kube-object.js'
import type { ServedKind } from '../../schema/scheme.js'
import { zeroObject } from '../../schema/zero.js'
import { EncodedOnce, type WatchEvent } from '../answer.js'
import type { CollectionEvent } from '../cache/object-store.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { ObjectSelection } from './object-selection.js'

/** How far a watch has come: an object of which nothing is set but the resource version. */
export function bookmark(
  type: ServedKind,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): WatchEvent {
  const { kind, apiVersion } = type.kind
  const metadata = { resourceVersion: `${revision}`, ...(annotations && { annotations }) }
  const { metadata: _, ...zero } = zeroObject(type)
  const object: KubeObject = { kind, apiVersion, metadata, ...zero }
  return { type: 'BOOKMARK', object: new EncodedOnce(object) }
}

/** Makes what a client is told of what happened in a collection. */
export interface WatchEventTranslator {
  translate(batch: readonly CollectionEvent[]): readonly WatchEvent[]
}

export function watchEventTranslator(resource: ServedResource, selection: ObjectSelection): WatchEventTranslator {
  const shared = sharedEvents(resource)
  return selection.isEverything ? shared : new SelectiveTranslation(shared, selection)
}

const byResource = new WeakMap<ServedResource, SharedEvents>()

function sharedEvents(resource: ServedResource): SharedEvents {
  let shared = byResource.get(resource)
  if (!shared) {
    shared = new SharedEvents(resource)
    byResource.set(resource, shared)
  }
  return shared
}

/** All who watch a resource are told of a thing by the same event, so that whoever writes it down for one has done so for all. */
class SharedEvents implements WatchEventTranslator {
  readonly #resource: ServedResource
  readonly #batches = new WeakMap<readonly CollectionEvent[], readonly WatchEvent[]>()
  readonly #changes = new WeakMap<CollectionEvent, WatchEvent>()
  /** As those see it for whom the object appeared, or is gone, by a change. */
  readonly #arrivals = new WeakMap<CollectionEvent, WatchEvent>()
  readonly #departures = new WeakMap<CollectionEvent, WatchEvent>()

  constructor(resource: ServedResource) {
    this.#resource = resource
  }

  translate(batch: readonly CollectionEvent[]): readonly WatchEvent[] {
    return remembered(this.#batches, batch, () => batch.map((event) => this.change(event)))
  }

  change(event: CollectionEvent): WatchEvent {
    return remembered(this.#changes, event, () => {
      if (event.type === 'progress') return bookmark(this.#resource.type, event.revision)
      const type = event.type === 'delete' ? 'DELETED' : event.previous ? 'MODIFIED' : 'ADDED'
      return { type, object: this.#resource.served(event.object) }
    })
  }

  arrival(event: Put): WatchEvent {
    if (!event.previous) return this.change(event)
    return remembered(this.#arrivals, event, () => ({ type: 'ADDED', object: this.#resource.served(event.object) }))
  }

  /** What goes is the object as it was, and the revision is that of the change. */
  departure(event: Put): WatchEvent {
    return remembered(this.#departures, event, () => {
      const gone = event.previous!.at(event.object.revision)
      return { type: 'DELETED', object: this.#resource.served(gone) }
    })
  }
}

type Put = Extract<CollectionEvent, { readonly type: 'put' }>

/** For those who see a part of the collection: a change may bring an object into it, or take it out. */
class SelectiveTranslation implements WatchEventTranslator {
  readonly #shared: SharedEvents
  readonly #selection: ObjectSelection

  constructor(shared: SharedEvents, selection: ObjectSelection) {
    this.#shared = shared
    this.#selection = selection
  }

  translate(batch: readonly CollectionEvent[]): readonly WatchEvent[] {
    const events: WatchEvent[] = []
    for (const event of batch) {
      const told = this.#translate(event)
      if (told) events.push(told)
    }
    return events
  }

  #translate(event: CollectionEvent): WatchEvent | undefined {
    if (event.type === 'progress') return this.#shared.change(event)
    const isSeen = this.#selection.matches(event.object)
    if (event.type === 'delete') return isSeen ? this.#shared.change(event) : undefined
    const wasSeen = event.previous !== undefined && this.#selection.matches(event.previous)
    if (isSeen) return wasSeen ? this.#shared.change(event) : this.#shared.arrival(event)
    return wasSeen ? this.#shared.departure(event) : undefined
  }
}

function remembered<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key)
  if (value === undefined) {
    value = make()
    known.set(key, value)
  }
  return value
}
