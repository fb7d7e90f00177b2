import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import { unknown } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { amountsIncrease } from '../../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../../api/quotas/evaluator.js'
import { quotaEvaluator } from '../../../api/quotas/evaluators.js'
import { scopesOf } from '../../../api/quotas/scopes.js'
import type { Environment } from '../../../base/environment.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ObjectChange } from '../../cache/object-store.js'
import type { PendingWrite } from '../../registry/resource-hooks.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { charge, limitedResourcesOf, noUsage, type QuotaWrite } from './charge.js'
import type { LimitedResource, ResourceQuotaConfiguration } from './configuration.js'
import { KeyedMutex } from './keyed-mutex.js'
import { uncoveredUsage } from './limited-resources.js'

/**
 * No namespace uses more than its quotas allow. What a write adds is added to the quotas' status in the same transaction, so that
 * no two writes can both take what is left, and no crash leaves one without the other. What is given back the quota controller sees.
 */
export function resourceQuota(
  lookups: ObjectLookups,
  { clock }: Environment,
  { limitedResources: limited = [] }: Pick<ResourceQuotaConfiguration, 'limitedResources'> = {},
): AdmissionPlugin {
  const quotas = lookups.of<ResourceQuota>('', 'v1', 'resourcequotas')
  const turns = new KeyedMutex()
  return {
    name: 'ResourceQuota',
    handles: (request) => isCounted(request),
    validate(request) {
      const { namespace } = request
      if (limited.length === 0 && quotas.keptIn(namespace).length === 0) return
      request.alsoWrite({
        async changes(write) {
          await turns.lock(namespace)
          return chargeQuotas(request, write, { quotas, limited, now: clock.now() })
        },
        settled: () => turns.unlock(namespace),
      })
    },
  }
}

/** Namespaced objects; events come and go uncounted. */
function isCounted(request: AdmissionRequest): boolean {
  const { namespace, resource, subresource, operation } = request
  if (namespace === '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return false
  if (subresource !== '' && subresource !== 'resize') return false
  if (resource.groupResource.resource === 'events') return false
  return measureFor(request).counts(request)
}

const known = new Map<string, QuotaEvaluator>()

function measureFor({ resource: { groupResource } }: AdmissionRequest): QuotaEvaluator {
  const { group, resource } = groupResource
  const key = `${group}/${resource}`
  const measure = known.get(key) ?? quotaEvaluator(group, resource)
  known.set(key, measure)
  return measure
}

interface QuotasNow {
  readonly quotas: ObjectLookup<ResourceQuota>
  readonly limited: readonly LimitedResource[]
  readonly now: number
}

function chargeQuotas(
  request: AdmissionRequest,
  { draft, old }: PendingWrite,
  { quotas, limited, now }: QuotasNow,
): ObjectChange[] {
  if (!draft) return []
  const object = draft as KubeObject
  const measure = measureFor(request)
  const usage = measure.usage(object, now)
  const oldUsage = old ? measure.usage(old.object, now) : noUsage
  const charged: QuotaWrite = { object, old: old?.object, measure, usage, oldUsage }
  const kept = quotas.keptIn(request.namespace)
  const charges = kept.map(({ object }) => charge(object as ResourceQuota, charged))
  const refused = charges.find((one) => 'refused' in one)
  if (refused) throw rejection(request, refused.refused)
  if (limited.length > 0) checkCovered(request, { ...charged, limited, quotas: quotas.list(request.namespace) })
  return charges.flatMap((one, index) => ('used' in one && one.used ? [changeOf(kept[index]!, one.used)] : []))
}

interface CoveredWrite extends QuotaWrite {
  readonly limited: readonly LimitedResource[]
  readonly quotas: readonly ResourceQuota[]
}

/** Some things may only be used where a quota says how much. */
function checkCovered(
  request: AdmissionRequest,
  { limited, quotas, object, measure, usage, oldUsage }: CoveredWrite,
): void {
  if (amountsIncrease(usage, oldUsage).size === 0) return
  const { inScope } = measure
  const coverage = {
    resources: new Set(quotas.flatMap((quota) => limitedResourcesOf(quota, object, measure))),
    scopes: inScope ? quotas.flatMap(scopesOf).filter((scope) => inScope(object, scope)) : [],
  }
  const missing = uncoveredUsage(limited, { ...request.resource.groupResource, object, measure, usage }, coverage)
  if (missing?.resources) throw rejection(request, `insufficient quota to consume: ${missing.resources}`)
  if (missing?.scopes) throw unknown(`insufficient quota to match these scopes: ${missing.scopes}`)
}

function changeOf({ key, revision, object }: CachedObject, used: Readonly<Record<string, string>>): ObjectChange {
  const { resourceVersion, ...metadata } = object.metadata
  const quota = object as ResourceQuota
  const charged: ResourceQuota = { ...quota, metadata, status: { ...quota.status, used } }
  return { key, expected: revision, object: charged }
}
