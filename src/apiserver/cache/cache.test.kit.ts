import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import type { StorageError } from '../../storage/errors.js'
import type { Store, WatchBatch, WatchQuery } from '../../storage/store.js'
import type { CachedObject } from './cached-object.js'
import type { CollectionEvent } from './object-store.js'

/** What the tests of this folder share: small objects, a store that can be interrupted, and readers of watches. */

export const prefix = '/registry/things/'

export function thing(namespace: string, name: string, value: string): KubeObject {
  const metadata = { name, namespace, uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' }
  return { kind: 'Thing', apiVersion: 'example.com/v1', metadata, data: { value } } as unknown as KubeObject
}

export function keyOf(namespace: string, name: string): string {
  return `${prefix}${namespace}/${name}`
}

export function dataOf({ object }: CachedObject): string {
  return ((object as UntypedObject).data as { value: string }).value
}

/** `5 +a/x=2 (1)`: at revision 5, x in a was set to 2, and had been 1. */
export function describeEvent(event: CollectionEvent): string {
  if (event.type === 'progress') return `${event.revision} …`
  const { object } = event
  const text = `${object.key.slice(prefix.length)}=${dataOf(object)}`
  if (event.type === 'delete') return `${object.revision} -${text}`
  return `${object.revision} +${text}${event.previous ? ` (${dataOf(event.previous)})` : ''}`
}

/** Reads a watch when it is told to, and not before. */
export class WatchReader {
  readonly seen: string[] = []
  /** Set once the watch is over. */
  ended: { readonly error?: unknown } | undefined
  isWaiting = false
  readonly #iterator: AsyncIterator<readonly CollectionEvent[]>

  constructor(events: AsyncIterable<readonly CollectionEvent[]>) {
    this.#iterator = events[Symbol.asyncIterator]()
  }

  /** Asks for one more batch, which is among the seen when it comes. */
  read(): void {
    if (this.isWaiting || this.ended) return
    this.isWaiting = true
    this.#iterator.next().then(
      ({ done, value }) => {
        this.isWaiting = false
        if (done) this.ended = {}
        else this.seen.push(...value.map(describeEvent))
      },
      (error: unknown) => {
        this.isWaiting = false
        this.ended = { error }
      },
    )
  }
}

/** A store whose watches can be made to fail. */
export class InterruptibleStore implements Store {
  readonly #store: Store
  readonly #watches = new Set<(error: StorageError) => void>()

  constructor(store: Store) {
    this.#store = store
  }

  /** All watches that are under way fail with this. */
  interrupt(error: StorageError): void {
    for (const fail of this.#watches) fail(error)
  }

  async *watch(query: WatchQuery): AsyncGenerator<WatchBatch, void, undefined> {
    const stop = new AbortController()
    const signal = query.signal ? AbortSignal.any([query.signal, stop.signal]) : stop.signal
    let failed: StorageError | undefined
    const fail = (error: StorageError) => {
      failed = error
      stop.abort()
    }
    this.#watches.add(fail)
    try {
      for await (const batch of this.#store.watch({ ...query, signal })) yield batch
      if (failed) throw failed
    } finally {
      this.#watches.delete(fail)
    }
  }

  get: Store['get'] = (...given) => this.#store.get(...given)
  range: Store['range'] = (...given) => this.#store.range(...given)
  transact: Store['transact'] = (...given) => this.#store.transact(...given)
  compact: Store['compact'] = (...given) => this.#store.compact(...given)
  grantLease: Store['grantLease'] = (...given) => this.#store.grantLease(...given)
  keepLeaseAlive: Store['keepLeaseAlive'] = (...given) => this.#store.keepLeaseAlive(...given)
  revokeLease: Store['revokeLease'] = (...given) => this.#store.revokeLease(...given)
  close: Store['close'] = () => this.#store.close()
}
