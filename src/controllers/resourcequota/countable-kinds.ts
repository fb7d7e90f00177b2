import type { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../api/kube-object.js'
import { addAmounts, filterAmounts, type ResourceAmounts, zeroAmounts } from '../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../api/quotas/evaluator.js'
import { quotaEvaluator } from '../../api/quotas/evaluators.js'
import { isInScopes } from '../../api/quotas/scopes.js'
import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { discover, preferred } from '../runtime/discovery.js'

export interface Countable {
  readonly place: DiscoveredResource
  readonly measure: QuotaEvaluator
}

/** What quotas can limit: all that is in namespaces, whoever serves it. */
export class CountableKinds {
  #known: readonly Countable[] = []

  /**
   * The kinds that a quota limits, as far as somebody serves them. Where something is limited that nothing known counts, the server is
   * asked again what it serves.
   */
  async limitedBy(quota: ResourceQuota, client: Client): Promise<readonly Countable[]> {
    const limited = limitedIn(quota)
    if (!limited.every((name) => this.#known.some(({ measure }) => measure.concerns(name))))
      this.#known = await countable(client)
    return this.#known.filter(({ measure }) => limited.some(measure.concerns))
  }
}

/** What there is of all that a quota limits and that somebody can count. */
export async function usageUnder(
  quota: ResourceQuota,
  kinds: readonly Countable[],
  { client, now }: { readonly client: Client; readonly now: number },
): Promise<ResourceAmounts> {
  let total: ResourceAmounts = new Map()
  for (const { place, measure } of kinds) {
    const names = limitedIn(quota).filter(measure.concerns)
    const used = await usageOf(quota, client, { place, measure, now })
    const limited = filterAmounts(used, (name) => names.includes(name))
    total = addAmounts(total, addAmounts(zeroAmounts(names), limited))
  }
  return total
}

function limitedIn({ spec }: ResourceQuota): readonly string[] {
  return Object.keys(spec.hard ?? {})
}

async function countable(client: Client): Promise<readonly Countable[]> {
  const { resources } = await discover(client)
  return preferred(resources.filter(({ namespaced, verbs }) => namespaced && verbs.includes('list'))).map((place) => ({
    place,
    measure: quotaEvaluator(place.group, place.plural),
  }))
}

/** The server is asked itself, and not an informer: that may know the quota already, and not what it was changed for. */
async function usageOf(
  quota: ResourceQuota,
  client: Client,
  { place, measure, now }: Countable & { readonly now: number },
): Promise<ResourceAmounts> {
  let total: ResourceAmounts = new Map()
  for await (const object of allIn(quota.metadata.namespace!, place, client))
    if (isInScopes(quota, object, measure)) total = addAmounts(total, measure.usage(object, now))
  return total
}

async function* allIn(namespace: string, place: DiscoveredResource, client: Client): AsyncIterable<KubeObject> {
  let next: string | undefined
  do {
    const page = await client
      .resource(place)
      .in(namespace)
      .list({ limit: 500, ...(next && { continue: next }) })
    yield* page.items
    next = page.continue
  } while (next)
}
