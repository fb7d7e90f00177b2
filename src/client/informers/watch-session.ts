import type { Environment } from '../../base/environment.js'
import type { SelectOptions } from '../request-options.js'
import type { AnyObject, ResourceClient } from '../resource-client.js'
import { streamWithStallTimeout } from '../stall-timeout.js'
import type { ReceivedEvent } from '../transport.js'
import { keyOf } from './informer.js'
import { type LocalCopy, revisionOf } from './local-copy.js'
import type { ReflectorMetrics } from './reflector-metrics.js'

export interface ReflectorDependencies<T extends AnyObject> {
  readonly resource: ResourceClient<T>
  readonly selection: SelectOptions
  readonly copy: LocalCopy<T>
  readonly environment: Environment
  readonly metrics: ReflectorMetrics
  /** True if the server is in this process: its watches neither stall nor break. */
  readonly isInProcess: boolean
}

/** As upstream: each watch is requested for so many seconds, up to twice as many. */
const leastSeconds = 300
/** In one process no connection can be lost, and there is no load to spread over servers. */
const leastSecondsInProcess = 12 * 3600
/** Milliseconds without an event after which a watch is stalled: servers send a bookmark about every minute. */
const stallTimeout = 90_000
/** The same for the present objects, which come without delay: the server waits at most three seconds for a revision. */
const initialStallTimeout = 10_000
const shortest = 1000

/** The server ended the watch at once, and may do so repeatedly without a delay. */
export class ShortWatchError extends Error {
  override readonly name = 'BrokenOffError'
}

/** The server does not send the present objects and the bookmark that ends them. */
export class NotStreamedError extends Error {
  override readonly name = 'NotStreamedError'
}

/** One watch from beginning to end. */
export class WatchSession<T extends AnyObject> {
  readonly #dependencies: ReflectorDependencies<T>
  readonly #begun: number
  readonly #seconds: number
  /** The present objects that were received so far; undefined when the copy is complete. */
  #initial: Map<string, T> | undefined
  #events = 0

  constructor(dependencies: ReflectorDependencies<T>, isStreamed: boolean) {
    const { clock, random } = dependencies.environment
    this.#dependencies = dependencies
    this.#begun = clock.monotonic()
    this.#seconds = Math.floor((dependencies.isInProcess ? leastSecondsInProcess : leastSeconds) * (1 + random.float()))
    if (isStreamed) this.#initial = new Map()
  }

  /** The copy is complete. */
  get isCopied(): boolean {
    return this.#initial === undefined
  }

  /** It has lasted as long as requested. */
  get isOver(): boolean {
    return this.#lasted >= this.#seconds * 1000 - shortest
  }

  get #lasted(): number {
    return this.#dependencies.environment.clock.monotonic() - this.#begun
  }

  /** Resolves when the server has ended the watch. */
  async run(signal: AbortSignal): Promise<void> {
    const { environment, metrics, resource, copy, isInProcess } = this.#dependencies
    const { clock } = environment
    const usual = isInProcess ? Number.POSITIVE_INFINITY : stallTimeout
    const open = (watching: AbortSignal) => resource.watchBatches({ ...this.#query(), signal: watching, retries: 0 })
    const timeoutNow = () => (this.#initial ? initialStallTimeout : usual)
    metrics.watching()
    try {
      for await (const batch of streamWithStallTimeout(open, { clock, signal, limit: timeoutNow })) {
        for (const event of batch) this.#take(event)
        metrics.revision(copy.revision)
      }
    } finally {
      metrics.watched(this.#events, this.#lasted)
    }
    this.#checkEnd()
  }

  #query() {
    const { selection, copy, isInProcess } = this.#dependencies
    const common = {
      ...selection,
      allowWatchBookmarks: true,
      sparseBookmarks: isInProcess,
      timeoutSeconds: this.#seconds,
    }
    if (!this.#initial) return { ...common, resourceVersion: `${copy.revision}` }
    return { ...common, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const }
  }

  #take({ type, object: held }: ReceivedEvent): void {
    const object = held.object as unknown as T
    this.#events++
    if (type === 'BOOKMARK') this.#mark(object)
    else if (!this.#initial) this.#dependencies.copy.apply(type, object)
    else if (type === 'DELETED') this.#initial.delete(keyOf(object))
    else this.#initial.set(keyOf(object), object)
  }

  #mark(bookmark: T): void {
    const revision = revisionOf(bookmark)
    if (!this.#initial) this.#dependencies.copy.advance(revision)
    else if (isEnd(bookmark)) this.#complete(this.#initial, revision)
    else throw new NotStreamedError('the server sent no bookmark at the end of the initial events')
  }

  #complete(objects: ReadonlyMap<string, T>, revision: number): void {
    const { copy, metrics } = this.#dependencies
    this.#initial = undefined
    metrics.listed(objects.size, this.#lasted)
    copy.replace(objects.values(), revision)
  }

  #checkEnd(): void {
    if (this.#initial) throw new NotStreamedError('the watch ended before the initial events were complete')
    if (this.#events > 0 || this.#lasted >= shortest) return
    this.#dependencies.metrics.shortWatch()
    throw new ShortWatchError('the watch lasted less than a second and sent no event')
  }
}

/** The bookmark after all present objects. */
function isEnd({ metadata }: AnyObject): boolean {
  return metadata.annotations?.['k8s.io/initial-events-end'] === 'true'
}
