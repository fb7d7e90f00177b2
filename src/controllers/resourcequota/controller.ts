import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { StatefulSet } from '../../api/apps/v1/stateful-set.js'
import { CronJob } from '../../api/batch/v1/cron-job.js'
import { Job } from '../../api/batch/v1/job.js'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { Secret } from '../../api/core/v1/secret.js'
import { Service } from '../../api/core/v1/service.js'
import type { KubeObject } from '../../api/kube-object.js'
import { equalAmounts } from '../../api/quotas/amounts.js'
import { quotaEvaluator } from '../../api/quotas/evaluators.js'
import { isSame } from '../../api/validation/immutability.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { groupOf, placeOf } from '../../client/place.js'
import type { AnyObject } from '../../client/resource-client.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { CountableKinds, usageUnder } from './countable-kinds.js'
import { Deletions, resourceName } from './deletions.js'
import { statusOf } from './status.js'

/** Of which more than the deletion gives something back, and those that most quotas limit. To others `Deletions` listens. */
const watchedKinds = [
  ...[Pod, Service, PersistentVolumeClaim, ConfigMap, Secret, ReplicationController],
  ...[Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob],
]

export interface ResourceQuotaOptions {
  /** Everything is counted again so often, in milliseconds: `--resource-quota-sync-period`. */
  readonly syncPeriod?: number | undefined
  readonly workers?: number | undefined
}

/**
 * Counts what quotas limit. The API server adds up what is made; this loop sees what is given back, and what there was before there was
 * a quota.
 */
export function resourceQuotaController({ syncPeriod = 300_000, workers = 5 }: ResourceQuotaOptions = {}): Controller {
  const kinds = new CountableKinds()
  const known = watchedKinds.map((kind) => resourceName(placeOf(kind)))
  const deletions = new Deletions(known, (object, { informers }) => quotasAround(object, informers))
  let building = controller('resourcequota')
    .watches(ResourceQuota, (change) => (isAsked(change) ? [keyOf(change.object)] : []))
    .workers(workers)
  for (const kind of watchedKinds) {
    const { apiVersion, plural } = placeOf(kind)
    const { usage } = quotaEvaluator(groupOf(apiVersion), plural)
    building = building.watches(kind, (change: Change<AnyObject>, informers) =>
      givesBack(change, usage) ? quotasAround(change.object, informers) : [],
    )
  }
  return building.reconcile((key, context) => count(key, { kinds, deletions, requeueAfter: syncPeriod }, context))
}

/** What is used is written down with everything that is made: nobody has to count again because of that. */
function isAsked({ type, object, old }: Change<ResourceQuota>): boolean {
  return type === 'added' || (type === 'updated' && !isSame(object.spec, old?.spec))
}

type Usage = ReturnType<typeof quotaEvaluator>['usage']

/** What is made was counted when it was made. */
function givesBack({ type, object, old }: Change<AnyObject>, usage: Usage): boolean {
  if (type !== 'updated') return type === 'deleted'
  const asKept = (each: AnyObject) => each as unknown as KubeObject
  return !equalAmounts(usage(asKept(object), 0), usage(asKept(old!), 0))
}

function* quotasAround({ metadata }: AnyObject, informers: SharedInformers): Iterable<string> {
  for (const quota of informers.of(ResourceQuota).by('namespace', metadata.namespace!)) yield keyOf(quota)
}

interface Counting {
  readonly kinds: CountableKinds
  readonly deletions: Deletions
  /** When to count again, in milliseconds. */
  readonly requeueAfter: number
}

async function count(
  key: string,
  { kinds, deletions, requeueAfter }: Counting,
  context: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const { client, informers, environment } = context
  const quota = informers.of(ResourceQuota).get(key)
  if (!quota || quota.metadata.deletionTimestamp !== undefined) return undefined
  const limited = await kinds.limitedBy(quota, client)
  deletions.listenTo(
    limited.map(({ place }) => place),
    context,
  )
  const used = await usageUnder(quota, limited, { client, now: environment.clock.now() })
  const status = statusOf(quota, used)
  // Whatever was made while this was counting has changed the quota as well, and then this is refused.
  if (status)
    await client
      .resource(ResourceQuota)
      .subresource('status')
      .update({ ...quota, status })
  return { requeueAfter }
}
