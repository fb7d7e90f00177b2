import { unlessAborted } from '../../base/abort.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { Informer } from '../../client/informers/informer.js'
import { Informers } from '../../client/informers/informers.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'

/** Milliseconds to wait for the watch before the object is requested directly. */
const watchTimeout = 1000

export interface WatchedObjectDependencies {
  readonly client: Client
  readonly environment: Environment
  readonly kind: Schema
  readonly namespace: string
  readonly name: string
  /** Called when the object changes after the first list. */
  readonly changed: () => void
}

/** One object, watched while pods need it. An immutable object is read once. */
export class WatchedObject {
  /** Uids of the pods that need it. */
  readonly users = new Set<string>()
  readonly #dependencies: WatchedObjectDependencies
  readonly #informers: Informers
  readonly #informer: Informer
  readonly #closed: Promise<void>
  #close!: () => void
  #immutable: AnyObject | undefined

  constructor(dependencies: WatchedObjectDependencies) {
    const { client, environment, kind, namespace, name } = dependencies
    this.#dependencies = dependencies
    this.#informers = new Informers(client, environment)
    this.#informer = this.#informers.of(kind, { namespace, fieldSelector: `metadata.name=${name}` })
    this.#closed = new Promise<void>((resolve) => {
      this.#close = resolve
    }).then(() => this.#informers.close())
    this.#informer.onChange(({ type, object }) => {
      if (type !== 'deleted' && isImmutable(object)) this.#cache(object)
      if (this.#informer.isSynced) dependencies.changed()
    })
  }

  /** Resolves with undefined if the object does not exist. */
  async current(signal?: AbortSignal): Promise<AnyObject | undefined> {
    if (this.#immutable) return this.#immutable
    if (this.#informer.isSynced || (await this.#isSynced(signal)))
      return this.#immutable ?? this.#informer.get(this.#key)
    // If the watch fails, the response to a get may say why.
    const { client, kind, namespace, name } = this.#dependencies
    return client.resource(kind).in(namespace).get(name, { signal })
  }

  async #isSynced(signal: AbortSignal | undefined): Promise<boolean> {
    const waiting = new AbortController()
    const tooLate = sleep(this.#dependencies.environment.clock, watchTimeout, waiting.signal).then(
      () => false,
      () => false, // no caller waits any longer
    )
    try {
      return await unlessAborted(Promise.race([this.#informer.synced.then(() => true), tooLate]), signal)
    } finally {
      waiting.abort()
    }
  }

  get #key(): string {
    return `${this.#dependencies.namespace}/${this.#dependencies.name}`
  }

  #cache(object: AnyObject): void {
    this.#immutable = object
    this.#close()
  }

  close(): Promise<void> {
    this.#close()
    return this.#closed
  }
}

function isImmutable(object: AnyObject & { readonly immutable?: boolean }): boolean {
  return object.immutable === true
}
