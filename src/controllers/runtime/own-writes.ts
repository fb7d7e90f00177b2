import { whenAborted } from '../../base/abort.js'
import type { Environment } from '../../base/environment.js'
import { type Change, type Informer, keyOf } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import type { ClientRequest, Transport, TransportResult } from '../../client/transport.js'

interface WatchedInformer {
  readonly place: ResourceLocation
  readonly informer: Informer
}

/**
 * A controller sees its own writes in its informers only a moment later. If it decided again before that, it would create everything
 * twice. So each reconcile records what it wrote, and its key is done when the informers show all of it. Upstream's controllers have
 * "expectations" for the same purpose.
 */
export class OwnWrites {
  readonly #informers: ReadonlyMap<string, Informer>
  readonly #environment: Environment
  /** Callbacks for the next change of an object, by resource and key. */
  readonly #waiting = new Map<string, Set<() => void>>()
  readonly #unsubscribe: readonly (() => void)[]

  constructor(watched: readonly WatchedInformer[], environment: Environment) {
    this.#environment = environment
    this.#informers = new Map(watched.map(({ place, informer }) => [`${place.root}/${place.plural}`, informer]))
    this.#unsubscribe = [...this.#informers].map(([resource, informer]) =>
      informer.onChange((change) => this.#changed(resource, change)),
    )
  }

  begin(): Writes {
    return new Writes(this.#informers, this.#environment, (resource, key) => this.#nextChange(resource, key))
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  #changed(resource: string, { object }: Change<AnyObject>): void {
    if (this.#waiting.size === 0) return
    const name = `${resource} ${keyOf(object)}`
    const callbacks = this.#waiting.get(name)
    this.#waiting.delete(name)
    for (const resolve of callbacks ?? []) resolve()
  }

  #nextChange(resource: string, key: string): Promise<void> {
    const name = `${resource} ${key}`
    return new Promise((resolve) => {
      const callbacks = this.#waiting.get(name) ?? new Set()
      this.#waiting.set(name, callbacks.add(resolve))
    })
  }
}

/** Milliseconds. An informer that is further behind has stopped, and must not stop the controller as well. */
const maxWait = 30_000

/** The object that a request is about. */
interface Target {
  readonly resource: string
  readonly key: string
  /** As the informers know it. */
  readonly uid: string | undefined
}

/** What one reconcile wrote. */
class Writes {
  /** The latest revision written, by resource. */
  readonly #revisions = new Map<string, number>()
  readonly #deleted: Target[] = []
  readonly #informers: ReadonlyMap<string, Informer>
  readonly #environment: Environment
  readonly #nextChange: (resource: string, key: string) => Promise<void>
  #count = 0

  constructor(
    informers: ReadonlyMap<string, Informer>,
    environment: Environment,
    nextChange: (resource: string, key: string) => Promise<void>,
  ) {
    this.#informers = informers
    this.#environment = environment
    this.#nextChange = nextChange
  }

  get count(): number {
    return this.#count
  }

  /** Wraps the transport, so that writes through it are recorded. */
  observe(transport: Transport): Transport {
    return {
      send: async (request) => {
        const target = this.#target(request)
        const result = await transport.send(request)
        if (request.method === 'DELETE') this.#recordDelete(target)
        else if (request.method !== 'GET') this.#recordWrite(target.resource, result)
        return result
      },
      close: () => transport.close(),
    }
  }

  #target({ path }: ClientRequest): Target {
    const [, root = '', namespace, plural = '', name] = pathPattern.exec(path) ?? []
    const resource = `${root}/${plural}`
    const key = namespace ? `${namespace}/${name}` : `${name}`
    return {
      resource,
      key,
      uid: name === undefined ? undefined : this.#informers.get(resource)?.get(key)?.metadata.uid,
    }
  }

  #recordWrite(resource: string, { response }: TransportResult): void {
    this.#count++
    if (response.is !== 'object' || !this.#informers.has(resource)) return
    const { metadata } = response.object.object
    const revision = Number(metadata?.resourceVersion ?? 0)
    if (revision > (this.#revisions.get(resource) ?? 0)) this.#revisions.set(resource, revision)
  }

  #recordDelete(target: Target): void {
    this.#count++
    if (target.uid !== undefined) this.#deleted.push(target)
  }

  /** Resolves when the informers show all of it, or when waiting longer is pointless. */
  async seen(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const missing = [...this.#missingWrites(), ...this.#missingDeletes()]
    if (missing.length === 0) return
    const { clock, log } = this.#environment
    await new Promise<void>((resolve) => {
      const finish = () => {
        timer.cancel()
        stopListening()
        resolve()
      }
      const timer = clock.timer(maxWait, () => {
        log.warn('informer does not show own writes; continuing')
        finish()
      })
      const stopListening = whenAborted(signal, finish)
      Promise.all(missing).then(finish, finish) // rejects when an informer is closed
    })
  }

  *#missingWrites(): Iterable<Promise<void>> {
    for (const [resource, revision] of this.#revisions) {
      const informer = this.#informers.get(resource)!
      if (informer.revision < revision) yield informer.reached(revision)
    }
  }

  *#missingDeletes(): Iterable<Promise<void>> {
    for (const target of this.#deleted) if (this.#exists(target)) yield this.#gone(target)
  }

  async #gone(target: Target): Promise<void> {
    while (this.#exists(target)) await this.#nextChange(target.resource, target.key)
  }

  /** Whether the informers still show the object, and not as one that is being deleted. */
  #exists({ resource, key, uid }: Target): boolean {
    const metadata = this.#informers.get(resource)?.get(key)?.metadata
    return metadata?.uid === uid && metadata?.deletionTimestamp === undefined
  }
}

/** Matches root, namespace, plural and name of a path. Namespaces are themselves a resource, with subresources. */
const pathPattern =
  /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/(?!status$|finalize$)))?\/([^/]+)(?:\/([^/]+))?/
