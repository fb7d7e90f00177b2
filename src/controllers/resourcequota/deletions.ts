import type { Change } from '../../client/informers/informer.js'
import type { ResourcePlace } from '../../client/place.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

type Listener = Pick<ReconcileContext, 'informers' | 'signal' | 'enqueue'>

/** Hears of what is deleted of kinds that somebody limits, and that nobody could know of beforehand. Each is listened to once. */
export class Deletions {
  readonly #heard = new Set<string>()
  readonly #keysFor: (object: AnyObject, context: Listener) => Iterable<string>

  /** Of kinds that are listened to already, the names are given: `/apis/apps/v1/deployments`. */
  constructor(known: readonly string[], keysFor: (object: AnyObject, context: Listener) => Iterable<string>) {
    for (const name of known) this.#heard.add(name)
    this.#keysFor = keysFor
  }

  listenTo(places: readonly ResourcePlace[], context: Listener): void {
    for (const place of places) {
      const name = resourceName(place)
      if (this.#heard.has(name)) continue
      this.#heard.add(name)
      const informer = context.informers.of(place, { metadataOnly: true })
      const end = informer.onChange((change) => this.#changed(change, context))
      context.signal.addEventListener('abort', end, { once: true })
    }
  }

  #changed({ type, object }: Change<AnyObject>, context: Listener): void {
    if (type === 'deleted') for (const key of this.#keysFor(object, context)) context.enqueue(key)
  }
}

export function resourceName({ root, plural }: ResourcePlace): string {
  return `${root}/${plural}`
}
