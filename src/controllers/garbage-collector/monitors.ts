import { sleep } from '../../base/clock.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { Change, Informer, SharedInformers } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

interface Monitor {
  readonly resource: DiscoveredResource
  readonly informer: Informer
  readonly stop: () => void
}

/** The informers of all collected kinds. */
export class Monitors {
  readonly #informers: SharedInformers
  readonly #handle: (location: ResourceLocation, change: Change<AnyObject>) => void
  #monitors: ReadonlyMap<string, Monitor> = new Map()

  constructor(informers: SharedInformers, handle: (location: ResourceLocation, change: Change<AnyObject>) => void) {
    this.#informers = informers
    this.#handle = handle
  }

  /** Watches these resources and no others. Returns whether any is new. */
  watch(resources: readonly DiscoveredResource[]): boolean {
    const before = this.#monitors
    this.#monitors = new Map(resources.map((each) => [nameOf(each), before.get(nameOf(each)) ?? this.#start(each)]))
    for (const [name, { stop }] of before) if (!this.#monitors.has(name)) stop()
    return resources.some((each) => !before.has(nameOf(each)))
  }

  /** Resolves when all informers have synced, or after the timeout. */
  async synced(timeout: number, { environment, signal }: ReconcileContext): Promise<void> {
    const giveUp = new AbortController()
    const late = sleep(environment.clock, timeout, AbortSignal.any([signal, giveUp.signal])).then(
      () => environment.log.warn('informers not synced; continuing', { kinds: this.#unsynced() }),
      () => undefined,
    )
    const informers = [...this.#monitors.values()].map(({ informer }) => informer.synced)
    await Promise.race([Promise.all(informers).catch(() => undefined), late]) // rejects when an informer is closed
    giveUp.abort()
  }

  close(): void {
    for (const { stop } of this.#monitors.values()) stop()
  }

  #start(resource: DiscoveredResource): Monitor {
    const informer = this.#informers.of(resource, { metadataOnly: true })
    const stop = informer.onChange((change) => this.#handle(resource, change))
    return { resource, informer, stop }
  }

  #unsynced(): readonly string[] {
    return [...this.#monitors].filter(([, { informer }]) => !informer.isSynced).map(([name]) => name)
  }
}

function nameOf({ root, plural }: DiscoveredResource): string {
  return `${root}/${plural}`
}
