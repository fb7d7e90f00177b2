import type { Change } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

type WatchContext = Pick<ReconcileContext, 'informers' | 'signal' | 'enqueue'>

/** Watches resources for deletions, once each: those that only a quota makes known. */
export class DeletionWatches {
  readonly #watched = new Set<string>()
  readonly #keysOf: (object: AnyObject, context: WatchContext) => Iterable<string>

  /** `watched`: resources that need no further watch. */
  constructor(
    watched: readonly ResourceLocation[],
    keysOf: (object: AnyObject, context: WatchContext) => Iterable<string>,
  ) {
    for (const place of watched) this.#watched.add(pathOf(place))
    this.#keysOf = keysOf
  }

  watch(places: readonly ResourceLocation[], context: WatchContext): void {
    for (const place of places) {
      if (this.#watched.has(pathOf(place))) continue
      this.#watched.add(pathOf(place))
      const informer = context.informers.of(place, { metadataOnly: true })
      const unsubscribe = informer.onChange((change) => this.#changed(change, context))
      context.signal.addEventListener('abort', unsubscribe, { once: true })
    }
  }

  #changed({ type, object }: Change<AnyObject>, context: WatchContext): void {
    if (type === 'deleted') for (const key of this.#keysOf(object, context)) context.enqueue(key)
  }
}

function pathOf({ root, plural }: ResourceLocation): string {
  return `${root}/${plural}`
}
