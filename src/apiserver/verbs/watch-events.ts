import type { KubeObject } from '../../api/kube-object.js'
import type { ServedKind } from '../../schema/scheme.js'
import { zeroObject } from '../../schema/zero.js'
import { changeView, disappearedObject } from '../cache/change-view.js'
import type { ChangeEvent, CollectionEvent } from '../cache/object-store.js'
import type { ServedResource } from '../registry/served-resource.js'
import { type EncodedEvent, EncodedOnce } from '../response/response.js'
import type { ObjectSelection } from './object-selection.js'

/** Translates the events of a collection into the watch events that a client receives. */
export interface WatchEventTranslator {
  translate(batch: readonly CollectionEvent[]): readonly EncodedEvent[]
}

export function watchEventTranslator(resource: ServedResource, selection: ObjectSelection): WatchEventTranslator {
  const shared = sharedEvents(resource)
  return selection.isEverything ? shared : new SelectiveTranslator(shared, selection)
}

/** A resource belongs to one server, and so do its events. */
const byResource = new WeakMap<ServedResource, SharedTranslator>()

function sharedEvents(resource: ServedResource): SharedTranslator {
  return remembered(byResource, resource, () => new SharedTranslator(resource))
}

/** For watches of all objects. All watchers of a resource share the events, so that each event is encoded once. */
class SharedTranslator implements WatchEventTranslator {
  readonly #resource: ServedResource
  readonly #batches = new WeakMap<readonly CollectionEvent[], readonly EncodedEvent[]>()
  readonly #changes = new WeakMap<CollectionEvent, EncodedEvent>()
  readonly #appearances = new WeakMap<CollectionEvent, EncodedEvent>()
  readonly #disappearances = new WeakMap<CollectionEvent, EncodedEvent>()

  constructor(resource: ServedResource) {
    this.#resource = resource
  }

  translate(batch: readonly CollectionEvent[]): readonly EncodedEvent[] {
    return remembered(this.#batches, batch, () => batch.map((event) => this.change(event)))
  }

  change(event: CollectionEvent): EncodedEvent {
    return remembered(this.#changes, event, () => {
      if (event.type === 'progress') return bookmark(this.#resource.type, event.revision)
      const type = event.type === 'delete' ? 'DELETED' : event.previous ? 'MODIFIED' : 'ADDED'
      return { type, object: this.#resource.served(event.object) }
    })
  }

  appearance(event: ChangeEvent): EncodedEvent {
    return remembered(this.#appearances, event, () => ({ type: 'ADDED', object: this.#resource.served(event.object) }))
  }

  disappearance(event: ChangeEvent): EncodedEvent {
    return remembered(this.#disappearances, event, () => ({
      type: 'DELETED',
      object: this.#resource.served(disappearedObject(event)),
    }))
  }
}

/** For watches with selectors: a change may make an object match, or not match any longer. */
class SelectiveTranslator implements WatchEventTranslator {
  readonly #shared: SharedTranslator
  readonly #selection: ObjectSelection

  constructor(shared: SharedTranslator, selection: ObjectSelection) {
    this.#shared = shared
    this.#selection = selection
  }

  translate(batch: readonly CollectionEvent[]): readonly EncodedEvent[] {
    const events: EncodedEvent[] = []
    for (const event of batch) {
      const translated = event.type === 'progress' ? this.#shared.change(event) : this.#translate(event)
      if (translated) events.push(translated)
    }
    return events
  }

  #translate(event: ChangeEvent): EncodedEvent | undefined {
    switch (changeView(event, this.#selection.matches)) {
      case 'change':
        return this.#shared.change(event)
      case 'appearance':
        return this.#shared.appearance(event)
      case 'disappearance':
        return this.#shared.disappearance(event)
      default:
        return undefined
    }
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

/** An event that reports the progress of a watch: an object in which only the resource version is set. */
export function bookmark(
  type: ServedKind,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): EncodedEvent {
  const { kind, apiVersion } = type.kind
  const metadata = { resourceVersion: `${revision}`, ...(annotations && { annotations }) }
  const { metadata: _, ...zero } = zeroObject(type)
  const object: KubeObject = { kind, apiVersion, metadata, ...zero }
  return { type: 'BOOKMARK', object: new EncodedOnce(object) }
}
