import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { Environment } from '../../../base/environment.js'
import type { KeptObject } from '../../cache/kept-object.js'
import type { ObjectChange } from '../../cache/object-store.js'
import type { PendingWrite } from '../../registry/resource-hooks.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { Lookup, Lookups } from '../lookup.js'
import { refusal } from '../refusal.js'
import { charge } from './charge.js'
import { claimMeasure } from './claim-measure.js'
import { countOf, type Measure } from './measure.js'
import { podMeasure } from './pod-measure.js'
import { serviceMeasure } from './service-measure.js'
import { Turns } from './turns.js'

const measures: Readonly<Record<string, Measure>> = {
  '/pods': podMeasure,
  '/services': serviceMeasure,
  '/persistentvolumeclaims': claimMeasure,
}

/**
 * No namespace uses more than its quotas allow. What a write adds is added to the quotas' status in the same transaction, so that
 * no two writes can both take what is left, and no crash leaves one without the other. What is given back the quota controller sees.
 */
export function resourceQuota(lookups: Lookups, { clock }: Environment): AdmissionPlugin {
  const quotas = lookups.of<ResourceQuota>('', 'v1', 'resourcequotas')
  const turns = new Turns()
  return {
    name: 'ResourceQuota',
    handles: (request) => isCounted(request),
    validate(request) {
      const { namespace } = request
      if (quotas.keptIn(namespace).length === 0) return
      request.alsoWrite({
        async changes(write) {
          await turns.take(namespace)
          return chargeQuotas(request, write, { quotas, now: clock.now() })
        },
        settled: () => turns.give(namespace),
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
  return measureOf(request).counts(request)
}

const counted = new Map<string, Measure>()

function measureOf({ resource: { groupResource } }: AdmissionRequest): Measure {
  const { group, resource } = groupResource
  const key = `${group}/${resource}`
  let measure = measures[key] ?? counted.get(key)
  if (!measure) {
    measure = countOf(group, resource)
    counted.set(key, measure)
  }
  return measure
}

interface QuotasNow {
  readonly quotas: Lookup<ResourceQuota>
  readonly now: number
}

function chargeQuotas(
  request: AdmissionRequest,
  { draft, old }: PendingWrite,
  { quotas, now }: QuotasNow,
): ObjectChange[] {
  if (!draft) return []
  const object = draft as KubeObject
  const measure = measureOf(request)
  const changes: ObjectChange[] = []
  for (const kept of quotas.keptIn(request.namespace)) {
    const charged = charge(kept.object as unknown as ResourceQuota, { object, old: old?.object, measure, now })
    if ('refused' in charged) throw refusal(request, charged.refused)
    if (charged.used) changes.push(changeOf(kept, charged.used))
  }
  return changes
}

function changeOf({ key, revision, object }: KeptObject, used: Readonly<Record<string, string>>): ObjectChange {
  const { resourceVersion, ...metadata } = object.metadata
  const { status } = object as unknown as ResourceQuota
  return { key, expected: revision, object: { ...object, metadata, status: { ...status, used } } }
}
