import { whenAborted } from '../../base/abort.js'
import type { Environment } from '../../base/environment.js'
import { type Change, type Informer, keyOf } from '../../client/informers/informer.js'
import type { ResourcePlace } from '../../client/place.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Answered, ClientRequest, Transport } from '../../client/transport.js'

interface WatchedKind {
  readonly place: ResourcePlace
  readonly informer: Informer
}

/**
 * What a loop writes comes back to it through its informers, a moment later. Until then it must not decide again, or it would make
 * everything twice. So each look at a key remembers what it wrote, and the key is done when the informers have seen all of that.
 */
export class OwnWrites {
  readonly #informers: ReadonlyMap<string, Informer>
  readonly #environment: Environment
  /** Who waits until an object has gone, or is going: by resource and key. */
  readonly #departures = new Map<string, Set<() => void>>()
  readonly #unsubscribe: readonly (() => void)[]

  constructor(watched: readonly WatchedKind[], environment: Environment) {
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
    if (this.#departures.size === 0) return
    const name = `${resource} ${keyOf(object)}`
    const waiting = this.#departures.get(name)
    this.#departures.delete(name)
    for (const resolve of waiting ?? []) resolve()
  }

  #nextChange(resource: string, key: string): Promise<void> {
    const name = `${resource} ${key}`
    return new Promise((resolve) => {
      const waiting = this.#departures.get(name) ?? new Set()
      this.#departures.set(name, waiting.add(resolve))
    })
  }
}

/** No informer is that far behind; one that is has stopped, and waiting for it would stop the loop as well. */
const patience = 30_000

/** What a request is about. */
interface Target {
  readonly resource: string
  readonly key: string
  /** Of the object as the informers know it. */
  readonly uid: string | undefined
}

/** What one look at a key wrote. */
class Writes {
  /** The latest revision written, by resource. */
  readonly #revisions = new Map<string, number>()
  readonly #departed: Target[] = []
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

  /** The same transport, which remembers what was written through it. */
  observe(transport: Transport): Transport {
    return {
      send: async (request) => {
        const target = this.#target(request)
        const answered = await transport.send(request)
        if (request.method === 'DELETE') this.#deleted(target)
        else if (request.method !== 'GET') this.#written(target.resource, answered)
        return answered
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

  #written(resource: string, { answer }: Answered): void {
    this.#count++
    if (answer.is !== 'object' || !this.#informers.has(resource)) return
    const { metadata } = answer.object.object
    const revision = Number(metadata?.resourceVersion ?? 0)
    if (revision > (this.#revisions.get(resource) ?? 0)) this.#revisions.set(resource, revision)
  }

  #deleted(target: Target): void {
    this.#count++
    if (target.uid !== undefined) this.#departed.push(target)
  }

  /** Resolves when the informers show all of it, or it makes no sense to wait longer. */
  async seen(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const missing = [...this.#reached(), ...this.#departures()]
    if (missing.length === 0) return
    const { clock, log } = this.#environment
    await new Promise<void>((resolve) => {
      const goOn = () => {
        timer.cancel()
        stopListening()
        resolve()
      }
      const timer = clock.timer(patience, () => {
        log.warn('an informer does not show what was written; going on without')
        goOn()
      })
      const stopListening = whenAborted(signal, goOn)
      Promise.all(missing).then(goOn, goOn) // an informer that is closed shows nothing any more
    })
  }

  *#reached(): Iterable<Promise<void>> {
    for (const [resource, revision] of this.#revisions) {
      const informer = this.#informers.get(resource)!
      if (informer.revision < revision) yield informer.reached(revision)
    }
  }

  *#departures(): Iterable<Promise<void>> {
    for (const target of this.#departed) if (this.#isThere(target)) yield this.#gone(target)
  }

  async #gone(target: Target): Promise<void> {
    while (this.#isThere(target)) await this.#nextChange(target.resource, target.key)
  }

  #isThere({ resource, key, uid }: Target): boolean {
    const metadata = this.#informers.get(resource)?.get(key)?.metadata
    return metadata?.uid === uid && metadata?.deletionTimestamp === undefined
  }
}

/** Root, namespace, plural and name of a path. Namespaces are a resource themselves, with subresources. */
const pathPattern =
  /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/(?!status$|finalize$)))?\/([^/]+)(?:\/([^/]+))?/
