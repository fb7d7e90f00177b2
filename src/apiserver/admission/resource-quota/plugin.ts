import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import { unknown } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { amountsIncrease } from '../../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../../api/quotas/evaluator.js'
import { quotaEvaluator } from '../../../api/quotas/evaluators.js'
import { scopesOf } from '../../../api/quotas/scopes.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ObjectChange } from '../../cache/object-store.js'
import type { PendingWrite } from '../../registry/resource-hooks.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isWrite } from '../request.js'
import { charge, limitedResourcesOf, noUsage, type QuotaWrite } from './charge.js'
import { type LimitedResource, type ResourceQuotaConfiguration, resourceQuotaConfiguration } from './configuration.js'
import { uncoveredUsage } from './limited-resources.js'

/**
 * Rejects writes that exceed the quotas of their namespace. The usage that a write adds goes into the status of the quotas in the same
 * transaction: two writes cannot both take the rest of a quota, and a crash cannot store one without the other. The quota controller
 * subtracts the usage of deleted objects.
 */
export const resourceQuota = defineAdmissionPlugin<KubeObject, ResourceQuotaConfiguration>({
  name: 'ResourceQuota',
  position: 420,
  isDefault: true,
  configuration: resourceQuotaConfiguration,
  create({ lookups, environment: { clock } }, { limitedResources: limited = [] }: LimitedResources = {}) {
    const quotas = lookups.of<ResourceQuota>('', 'v1', 'resourcequotas')
    const evaluators = new QuotaEvaluators()
    const mutex = new KeyedMutex()
    return {
      handles: (request) => isCounted(request) && evaluators.of(request).counts(request),
      validate(request) {
        const { namespace } = request
        if (limited.length === 0 && quotas.keptIn(namespace).length === 0) return
        request.alsoWrite({
          async changes(write) {
            await mutex.lock(namespace)
            const evaluator = evaluators.of(request)
            return chargeQuotas(request, write, { quotas, limited, evaluator, now: clock.now() })
          },
          settled: () => mutex.unlock(namespace),
        })
      },
    }
  },
})

type LimitedResources = Pick<ResourceQuotaConfiguration, 'limitedResources'>

/** Quotas count namespaced objects, except events. */
function isCounted(request: AdmissionRequest): boolean {
  const { namespace, resource, subresource } = request
  if (namespace === '' || !isWrite(request)) return false
  if (subresource !== '' && subresource !== 'resize') return false
  return resource.groupResource.resource !== 'events'
}

/** The evaluators, by resource. */
class QuotaEvaluators {
  readonly #byResource = new Map<string, QuotaEvaluator>()

  of({ resource: { groupResource } }: AdmissionRequest): QuotaEvaluator {
    const { group, resource } = groupResource
    const key = `${group}/${resource}`
    const known = this.#byResource.get(key)
    if (known) return known
    const evaluator = quotaEvaluator(group, resource)
    this.#byResource.set(key, evaluator)
    return evaluator
  }
}

/**
 * A lock per key. Writes under the same quota wait for each other, because of two concurrent writes the store would reject one, which then
 * had to be repeated. The store alone guarantees correctness.
 */
class KeyedMutex {
  /** The waiting callers, by key. A key is in the map while it is locked. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when the caller holds the lock. The caller must unlock it. */
  lock(key: string): Promise<void> {
    const waiting = this.#waiting.get(key)
    if (waiting) return new Promise((resolve) => void waiting.push(resolve))
    this.#waiting.set(key, [])
    return Promise.resolve()
  }

  unlock(key: string): void {
    const next = this.#waiting.get(key)?.shift()
    if (next) next()
    else this.#waiting.delete(key)
  }
}

interface ChargeContext {
  readonly quotas: ObjectLookup<ResourceQuota>
  readonly limited: readonly LimitedResource[]
  readonly evaluator: QuotaEvaluator
  readonly now: number
}

function chargeQuotas(
  request: AdmissionRequest,
  { draft, old }: PendingWrite,
  { quotas, limited, evaluator, now }: ChargeContext,
): ObjectChange[] {
  if (!draft) return []
  const object = draft as KubeObject
  const usage = evaluator.usage(object, now)
  const oldUsage = old ? evaluator.usage(old.object, now) : noUsage
  const write: QuotaWrite = { object, old: old?.object, evaluator, usage, oldUsage }
  const kept = quotas.keptIn(request.namespace)
  const charges = kept.map(({ object: quota }) => charge(quota as ResourceQuota, write))
  const rejected = charges.find((one) => 'rejected' in one)
  if (rejected) throw rejection(request, rejected.rejected)
  if (limited.length > 0) checkCovered(request, { ...write, limited, quotas: quotas.list(request.namespace) })
  return charges.flatMap((one, index) => ('used' in one && one.used ? [changeOf(kept[index]!, one.used)] : []))
}

interface CoveredWrite extends QuotaWrite {
  readonly limited: readonly LimitedResource[]
  readonly quotas: readonly ResourceQuota[]
}

/** Rejects the use of limited resources that no quota covers. */
function checkCovered(
  request: AdmissionRequest,
  { limited, quotas, object, evaluator, usage, oldUsage }: CoveredWrite,
): void {
  if (amountsIncrease(usage, oldUsage).size === 0) return
  const { inScope } = evaluator
  const coverage = {
    resources: new Set(quotas.flatMap((quota) => limitedResourcesOf(quota, object, evaluator))),
    scopes: inScope ? quotas.flatMap(scopesOf).filter((scope) => inScope(object, scope)) : [],
  }
  const missing = uncoveredUsage(limited, { ...request.resource.groupResource, object, evaluator, usage }, coverage)
  if (missing?.resources) throw rejection(request, `insufficient quota to consume: ${missing.resources}`)
  if (missing?.scopes) throw unknown(`insufficient quota to match these scopes: ${missing.scopes}`)
}

function changeOf({ key, revision, object }: CachedObject, used: Readonly<Record<string, string>>): ObjectChange {
  const { resourceVersion, ...metadata } = object.metadata
  const quota = object as ResourceQuota
  const charged: ResourceQuota = { ...quota, metadata, status: { ...quota.status, used } }
  return { key, expected: revision, object: charged }
}
