import { expired, unknown } from '../../api/errors.js'
import { CompactedError } from '../../storage/errors.js'
import type { EncodedEvent, WatchResponse } from '../response/response.js'
import { waitForRevision } from './freshness.js'
import { type ListRequestOptions, listOptions, parseRevision, ResourceVersionError } from './list-options.js'
import { type ObjectSelection, selectObjects } from './object-selection.js'
import type { ReadScope } from './verb-scope.js'
import { bookmark, type WatchEventTranslator, watchEventTranslator } from './watch-events.js'
import { WatchLifetime } from './watch-lifetime.js'

/** A watch for which no end is asked lasts so many seconds at least, and up to twice as many. */
const leastSeconds = 1800
/** Bookmarks come about so often, and so long before the end, in milliseconds. */
const bookmarkInterval = 60_000
const bookmarkBeforeEnd = 2_000

/** Where a watch begins. */
interface Beginning {
  /** Events after this revision are told. Undefined: after what is now. */
  readonly revision: number | undefined
  /** Whether what is there is told first. */
  readonly withInitial: boolean
  /** Whether what is there must include everything up to `revision`, or up to now. */
  readonly isFresh: boolean
}

export function watch(scope: ReadScope): WatchResponse {
  const options = listOptions(scope.context.request.query)
  const chosen = selectObjects(scope, options)
  const beginning = beginningOf(options)
  const { resource, representation, context } = scope
  context.decision = 'watching'
  context.reason = beginning.withInitial
    ? 'from what is there on'
    : `from revision ${options.resourceVersion || 'now'} on`
  return {
    is: 'watch',
    type: resource.type,
    events: new Watch(scope, options, chosen).events(beginning),
    representation,
  }
}

function beginningOf({ resourceVersion, sendInitialEvents }: ListRequestOptions): Beginning {
  const revision = revisionOf(resourceVersion)
  if (sendInitialEvents)
    return { revision: resourceVersion === '' ? undefined : revision, withInitial: true, isFresh: true }
  if (revision > 0) return { revision, withInitial: false, isFresh: false }
  return { revision: undefined, withInitial: sendInitialEvents === undefined, isFresh: resourceVersion === '' }
}

/** That this is no fault of the client's is how clients know it. */
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
  readonly #chosen: ObjectSelection
  readonly #translation: WatchEventTranslator
  /** When the watch ends, in the clock's monotonic milliseconds. */
  readonly #end: number

  constructor(scope: ReadScope, options: ListRequestOptions, chosen: ObjectSelection) {
    this.#scope = scope
    this.#options = options
    this.#chosen = chosen
    this.#translation = watchEventTranslator(scope.resource, chosen)
    const { clock, random } = scope.environment
    const seconds = options.timeoutSeconds || leastSeconds * (1 + random.float())
    this.#end = clock.monotonic() + seconds * 1000
  }

  async *events(beginning: Beginning): AsyncGenerator<readonly EncodedEvent[], void, undefined> {
    const { context, environment } = this.#scope
    const { clock } = environment
    const timeout = { clock, milliseconds: this.#end - clock.monotonic() }
    const lifetime = new WatchLifetime({ signals: [context.request.signal], timeout })
    const { signal } = lifetime
    try {
      await this.#ready(beginning)
      const revision = beginning.withInitial
        ? this.#scope.store.revision
        : (beginning.revision ?? this.#scope.store.revision)
      if (beginning.withInitial) yield* this.#initial(revision)
      const { objects, prefix, fieldMatch } = this.#chosen
      const progressIn = () => this.#untilBookmark()
      for await (const batch of objects.watch({ prefix, fieldMatch, revision, signal, progressIn })) {
        const events = this.#translation.translate(batch)
        if (events.length > 0) yield events
      }
    } catch (error) {
      throw error instanceof CompactedError ? tooOld(this.#options, error) : error
    } finally {
      lifetime.end()
    }
  }

  async #ready({ revision, isFresh }: Beginning): Promise<void> {
    if (!isFresh) return
    if (revision === undefined) await this.#scope.store.waitUntilCurrent()
    else await waitForRevision(this.#scope, revision, this.#options.resourceVersion)
  }

  /** What is there, each as if it had just been added; where the client asked for it, followed by the news that this was all. */
  *#initial(revision: number): Generator<readonly EncodedEvent[], void, undefined> {
    const { resource } = this.#scope
    const { objects, prefix, isEverything, matches } = this.#chosen
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
    if (last > 0 && bookmarkInterval > last) return last
    return bookmarkInterval > left ? undefined : bookmarkInterval
  }
}

function tooOld({ resourceVersion }: ListRequestOptions, { oldest }: CompactedError) {
  return expired(`too old resource version: ${resourceVersion || '0'} (${oldest - 1})`)
}
