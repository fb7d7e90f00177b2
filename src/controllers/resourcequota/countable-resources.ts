import type { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../api/kube-object.js'
import { addAmounts, filterAmounts, type QuotaQuantities, zeroAmounts } from '../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../api/quotas/evaluator.js'
import { quotaEvaluator } from '../../api/quotas/evaluators.js'
import { isInScopes } from '../../api/quotas/scopes.js'
import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { discover, preferred } from '../runtime/discovery.js'

export interface CountableResource {
  readonly place: DiscoveredResource
  readonly evaluator: QuotaEvaluator
}

/** The resources that quotas can limit: all namespaced ones, custom resources included. */
export class CountableResources {
  #known: readonly CountableResource[] = []

  /** The resources that a quota limits and the server serves. Discovers them again if the quota limits an unknown one. */
  async limitedBy(quota: ResourceQuota, client: Client): Promise<readonly CountableResource[]> {
    const limited = limitedNames(quota)
    if (!limited.every((name) => this.#known.some(({ evaluator }) => evaluator.concerns(name))))
      this.#known = await countableResources(client)
    return this.#known.filter(({ evaluator }) => limited.some(evaluator.concerns))
  }
}

/** What the namespace of a quota uses of the resources that it limits. */
export async function usageUnder(
  quota: ResourceQuota,
  resources: readonly CountableResource[],
  { client, now }: { readonly client: Client; readonly now: number },
): Promise<QuotaQuantities> {
  let total: QuotaQuantities = new Map()
  for (const { place, evaluator } of resources) {
    const names = limitedNames(quota).filter(evaluator.concerns)
    const used = await usageOf(quota, client, { place, evaluator, now })
    const limited = filterAmounts(used, (name) => names.includes(name))
    total = addAmounts(total, addAmounts(zeroAmounts(names), limited))
  }
  return total
}

function limitedNames({ spec }: ResourceQuota): readonly string[] {
  return Object.keys(spec.hard ?? {})
}

async function countableResources(client: Client): Promise<readonly CountableResource[]> {
  const { resources } = await discover(client)
  return preferred(resources.filter(({ namespaced, verbs }) => namespaced && verbs.includes('list'))).map((place) => ({
    place,
    evaluator: quotaEvaluator(place.group, place.plural),
  }))
}

/** Lists from the server and not from an informer, which may show the quota but not yet the objects that changed it. */
async function usageOf(
  quota: ResourceQuota,
  client: Client,
  { place, evaluator, now }: CountableResource & { readonly now: number },
): Promise<QuotaQuantities> {
  let total: QuotaQuantities = new Map()
  for await (const object of allIn(quota.metadata.namespace!, place, client))
    if (isInScopes(quota, object, evaluator)) total = addAmounts(total, evaluator.usage(object, now))
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
