import { expired, unknown } from '../../api/errors.js'
import { CompactedError } from '../../storage/errors.js'
import type { EncodedEvent, WatchResponse } from '../response/response.js'
import { waitForRevision } from './freshness.js'
import { type ListRequestOptions, listOptions, parseRevision, ResourceVersionError } from './list-options.js'
import { type ObjectSelection, selectObjects } from './object-selection.js'
import type { ReadScope } from './verb-scope.js'
import { bookmark, type WatchEventTranslator, watchEventTranslator } from './watch-events.js'
import { WatchLifetime } from './watch-lifetime.js'

/** A watch without a timeout lasts this many seconds at least, and at most twice as many. */
const leastSeconds = 1800
/** Milliseconds between bookmarks, and from the last bookmark to the end of the watch. */
const bookmarkInterval = 60_000
const bookmarkBeforeEnd = 2_000

/** The revision at which a watch starts. */
interface WatchStart {
  /** The watch delivers events after this revision. Undefined: after the current one. */
  readonly revision: number | undefined
  /** Whether the watch first delivers the existing objects. */
  readonly withInitial: boolean
  /** Whether the existing objects must include all changes up to `revision`, or up to now. */
  readonly isFresh: boolean
}

/** Watches a collection or an object. */
export function watch(scope: ReadScope): WatchResponse {
  const options = listOptions(scope.context.request.query)
  const selection = selectObjects(scope, options)
  const start = watchStartOf(options)
  const { resource, representation, context } = scope
  context.decision = 'watching'
  context.reason = start.withInitial
    ? 'from the existing objects'
    : `after revision ${options.resourceVersion || 'now'}`
  return {
    is: 'watch',
    type: resource.type,
    events: new Watch(scope, options, selection).events(start),
    representation,
  }
}

function watchStartOf({ resourceVersion, sendInitialEvents }: ListRequestOptions): WatchStart {
  const revision = revisionOf(resourceVersion)
  if (sendInitialEvents)
    return { revision: resourceVersion === '' ? undefined : revision, withInitial: true, isFresh: true }
  if (revision > 0) return { revision, withInitial: false, isFresh: false }
  return { revision: undefined, withInitial: sendInitialEvents === undefined, isFresh: resourceVersion === '' }
}

/** As upstream, reports a malformed revision as an internal error. */
function revisionOf(text: string): number {
  try {
    return parseRevision(text)
  } catch (error) {
    throw error instanceof ResourceVersionError ? unknown(error.message) : error
  }
}

class Watch {
  readonly #scope: ReadScope
  readonly #options: ListRequestOptions
  readonly #selection: ObjectSelection
  readonly #translator: WatchEventTranslator
  /** When the watch ends, in milliseconds of the monotonic clock. */
  readonly #end: number

  constructor(scope: ReadScope, options: ListRequestOptions, selection: ObjectSelection) {
    this.#scope = scope
    this.#options = options
    this.#selection = selection
    this.#translator = watchEventTranslator(scope.resource, selection)
    const { clock, random } = scope.environment
    const seconds = options.timeoutSeconds || leastSeconds * (1 + random.float())
    this.#end = clock.monotonic() + seconds * 1000
  }

  async *events(start: WatchStart): AsyncGenerator<readonly EncodedEvent[], void, undefined> {
    const { context, environment } = this.#scope
    const { clock } = environment
    const timeout = { clock, milliseconds: this.#end - clock.monotonic() }
    const lifetime = new WatchLifetime({ signals: [context.request.signal], timeout })
    const { signal } = lifetime
    try {
      await this.#waitUntilFresh(start)
      const revision = start.withInitial ? this.#scope.store.revision : (start.revision ?? this.#scope.store.revision)
      if (start.withInitial) yield* this.#initial(revision)
      const { objects, prefix, fieldMatch } = this.#selection
      const progressIn = () => this.#untilBookmark()
      for await (const batch of objects.watch({ prefix, fieldMatch, revision, signal, progressIn })) {
        const events = this.#translator.translate(batch)
        if (events.length > 0) yield events
      }
    } catch (error) {
      throw error instanceof CompactedError ? tooOld(this.#options, error) : error
    } finally {
      lifetime.end()
    }
  }

  async #waitUntilFresh({ revision, isFresh }: WatchStart): Promise<void> {
    if (!isFresh) return
    if (revision === undefined) await this.#scope.store.waitUntilCurrent()
    else await waitForRevision(this.#scope, revision, this.#options.resourceVersion)
  }

  /** The existing objects as added, followed by a bookmark if the client requested one. */
  *#initial(revision: number): Generator<readonly EncodedEvent[], void, undefined> {
    const { resource } = this.#scope
    const { objects, prefix, isEverything, matches } = this.#selection
    const events: EncodedEvent[] = []
    for (const cached of objects.list(prefix))
      if (isEverything || matches(cached)) events.push({ type: 'ADDED', object: resource.served(cached) })
    const { sendInitialEvents, allowBookmarks } = this.#options
    if (sendInitialEvents && allowBookmarks)
      events.push(bookmark(resource.type, revision, { 'k8s.io/initial-events-end': 'true' }))
    if (events.length > 0) yield events
  }

  #untilBookmark(): number | undefined {
    if (!this.#options.allowBookmarks) return undefined
    const left = this.#end - this.#scope.environment.clock.monotonic()
    const last = left - bookmarkBeforeEnd
    const interval = this.#scope.context.request.sparseBookmarks ? Number.POSITIVE_INFINITY : bookmarkInterval
    if (last > 0 && interval > last) return last
    return interval > left ? undefined : interval
  }
}

function tooOld({ resourceVersion }: ListRequestOptions, { oldest }: CompactedError) {
  return expired(`too old resource version: ${resourceVersion || '0'} (${oldest - 1})`)
}
