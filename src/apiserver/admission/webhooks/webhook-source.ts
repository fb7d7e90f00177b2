import type { CachedObject } from '../../cache/cached-object.js'
import type { ServedResource } from '../../registry/served-resource.js'
import { type Webhook, webhooksOf } from './webhook.js'

/**
 * The registered webhooks, ordered by the names of their configurations. Rebuilds the list only after a configuration has changed, so that reading
 * it is cheap.
 */
export class WebhookSource {
  readonly #configurations: ServedResource
  readonly #known = new WeakMap<CachedObject, readonly Webhook[]>()
  #webhooks: readonly Webhook[] | undefined

  constructor(configurations: ServedResource) {
    this.#configurations = configurations
    const forget = () => {
      this.#webhooks = undefined
    }
    configurations.objects.follow({ changed: forget, reset: forget })
  }

  get webhooks(): readonly Webhook[] {
    this.#webhooks ??= this.#read()
    return this.#webhooks
  }

  #read(): readonly Webhook[] {
    const { objects, prefix } = this.#configurations
    return objects.list(prefix).flatMap((kept) => this.#of(kept))
  }

  /** Reuses the webhooks of an unchanged configuration, with their parsed selectors. */
  #of(kept: CachedObject): readonly Webhook[] {
    let webhooks = this.#known.get(kept)
    if (!webhooks) {
      webhooks = webhooksOf(kept.object)
      this.#known.set(kept, webhooks)
    }
    return webhooks
  }
}
