import { ApiError, hasReason } from '../../api/errors.js'
import { Backoff } from '../../base/backoff.js'
import { sleep } from '../../base/clock.js'
import type { ListOptions } from '../request-options.js'
import type { AnyObject, Page } from '../resource-client.js'
import { StalledError, withStallTimeout } from '../stall-timeout.js'
import { InconsistentWatchError } from './local-copy.js'
import { NotStreamedError, type ReflectorDependencies, WatchSession } from './watch-session.js'

/** As upstream: doubled with each failure, and reset after two minutes without one. In milliseconds. */
const delays = { initial: 800, max: 30_000, factor: 2, jitter: 1, resetAfter: 120_000 }

/** Milliseconds that a list may take: the server itself has this timeout. */
const listTimeout = 60_000
const confirmTimeout = 15_000

/**
 * Keeps a copy up to date. Whatever happens to the server, to the network, or to the history from which a watch would continue, it tries
 * again: no error ends it.
 */
export class Reflector<T extends AnyObject> {
  readonly #dependencies: ReflectorDependencies<T>
  readonly #backoff: Backoff
  /** A watch cannot continue from the copy. */
  #needsCopy = true
  /** The server can send the present objects at the start of a watch. */
  #canStream = true
  /** The last attempt to stream failed, so the next copy is made by a list. */
  #failedToStream = false
  /** The last watch ended early. The next server may not have all that the copy has. */
  #isBroken = false

  constructor(dependencies: ReflectorDependencies<T>) {
    this.#dependencies = dependencies
    this.#backoff = new Backoff(dependencies.environment, delays)
  }

  /** Resolves when `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal)
      } catch (error) {
        if (!signal.aborted) await this.#recover(error, signal)
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const streams = this.#needsCopy && this.#canStream && !this.#failedToStream
    if (this.#needsCopy && !streams) await this.#list(signal)
    else if (this.#isBroken && !streams) await this.#confirmRevision(signal)
    this.#isBroken = true
    const session = new WatchSession(this.#dependencies, streams)
    try {
      await session.run(signal)
      this.#isBroken = !session.isOver
    } finally {
      if (session.isCopied) this.#needsCopy = false
      else this.#failedToStream = true
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { environment, metrics, resource, selection, copy } = this.#dependencies
    const { clock } = environment
    const start = clock.monotonic()
    const { objects, revision } = await listAllPages((options) => {
      const list = (inner: AbortSignal) => resource.list({ ...selection, ...options, signal: inner, retries: 0 })
      return withStallTimeout(list, { clock, signal, limit: () => listTimeout })
    })
    metrics.listed(objects.length, clock.monotonic() - start)
    copy.replace(objects, revision)
    metrics.revision(revision)
    this.#needsCopy = false
    this.#failedToStream = false
  }

  /**
   * Checks that the server has reached the revision of the copy. A server whose store was restored from a backup has not: it would wait
   * for that revision, and send nothing until then.
   */
  async #confirmRevision(signal: AbortSignal): Promise<void> {
    const { environment, resource, selection, copy } = this.#dependencies
    const options = { resourceVersion: `${copy.revision}`, resourceVersionMatch: 'NotOlderThan', limit: 1 } as const
    const list = (inner: AbortSignal) => resource.list({ ...selection, ...options, signal: inner, retries: 0 })
    await withStallTimeout(list, { clock: environment.clock, signal, limit: () => confirmTimeout })
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { environment, metrics, resource } = this.#dependencies
    const isFirst = this.#backoff.failures === 0
    const delay = this.#backoff.next()
    if (error instanceof StalledError) metrics.stalled()
    if (isPastRecall(error)) this.#needsCopy = true
    if (isUnableToStream(error)) this.#canStream = false
    // A first failure is normal: it is retried at once.
    const wait = Math.max(isFirst ? 0 : delay, 1000 * retryAfterSeconds(error))
    const fields = { resource: resource.location.plural, error, retryInMilliseconds: Math.round(wait) }
    environment.log[isFirst ? 'info' : 'warn']('informer watch interrupted', fields)
    await sleep(environment.clock, wait, signal).catch(() => {}) // only the signal ends it, and the caller checks that
  }
}

/** A watch cannot continue from the copy: a new copy is needed. */
function isPastRecall(error: unknown): boolean {
  if (error instanceof InconsistentWatchError) return true
  return hasReason(error, 'Expired') || hasReason(error, 'Gone') || isTooLarge(error)
}

/** The server has not reached the revision of the copy. */
function isTooLarge(error: unknown): boolean {
  if (!hasReason(error, 'Timeout')) return false
  const { details, message = '' } = error.status()
  return message.includes('Too large resource version') || isCause(details?.causes, 'ResourceVersionTooLarge')
}

function isCause(causes: readonly { readonly reason?: string }[] = [], reason: string): boolean {
  return causes.some((cause) => cause.reason === reason)
}

function isUnableToStream(error: unknown): boolean {
  return error instanceof NotStreamedError || hasReason(error, 'Invalid') || hasReason(error, 'BadRequest')
}

function retryAfterSeconds(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0
}

/** As upstream: the server need not put everything into one response. */
const pageSize = 500

interface ListSnapshot<T> {
  readonly objects: readonly T[]
  readonly revision: number
}

/** Lists all objects at one revision. If that expires between two pages, it lists everything in one request. */
async function listAllPages<T>(list: (options: ListOptions) => Promise<Page<T>>): Promise<ListSnapshot<T>> {
  const objects: T[] = []
  try {
    let page = await list({ limit: pageSize })
    objects.push(...page.items)
    while (page.continue !== undefined) {
      page = await list({ limit: pageSize, continue: page.continue })
      objects.push(...page.items)
    }
    return { objects, revision: Number(page.resourceVersion) }
  } catch (error) {
    if (!hasReason(error, 'Expired') || objects.length === 0) throw error
    const { items, resourceVersion } = await list({})
    return { objects: items, revision: Number(resourceVersion) }
  }
}
