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
import { duration } from '../../base/flags/flag-types.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import { groupOf, locationOf } from '../../client/resource-location.js'
import { defineController, recordEvents, workersFlag } from '../definition.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { CountableResources, usageUnder } from './countable-resources.js'
import { decide, type QuotaObservation } from './decide.js'
import { DeletionWatches } from './deletion-watches.js'

/** Kinds that quotas often limit, and kinds whose updates can free resources. Others are watched for deletions if a quota limits them. */
const watchedKinds = [
  ...[Pod, Service, PersistentVolumeClaim, ConfigMap, Secret, ReplicationController],
  ...[Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob],
]

/**
 * Counts what quotas limit. The API server adds what is created, in the same transaction; this controller counts again when something is
 * freed, when a quota is new or changes its limits, and from time to time.
 */
export const definition = defineController({
  name: 'resourcequota-controller',
  alias: 'resourcequota',
  serviceAccount: 'resourcequota-controller',
  rules: ['list watch on * of *', 'update on resourcequotas/status of core', recordEvents],
  flags: {
    'resource-quota-sync-period': duration('How often the usage of every quota is counted again.', {
      initial: 300_000,
    }),
    'concurrent-resource-quota-syncs': workersFlag('quotas', 5),
  },
  create: (controller, { flags }) =>
    watching(controller)
      .workers(flags['concurrent-resource-quota-syncs'])
      .reconcile({
        observe: observer(),
        decide,
        async act({ status }, { quota }, { client }) {
          // Fails with a conflict if something was created during the count: that changed the quota, too.
          if (status)
            await client
              .resource(ResourceQuota)
              .subresource('status')
              .update({ ...quota, status })
          return { requeueAfter: flags['resource-quota-sync-period'] }
        },
      }),
})

function watching(controller: ControllerBuilder): ControllerBuilder {
  const quotas = controller.watches(ResourceQuota, (change) => (isNewLimit(change) ? [keyOf(change.object)] : []))
  return watchedKinds.reduce((builder, kind) => {
    const { apiVersion, plural } = locationOf(kind)
    const { usage } = quotaEvaluator(groupOf(apiVersion), plural)
    return builder.watches(kind, (change: Change<AnyObject>, informers) =>
      isFreeing(change, usage) ? quotasAround(change.object, informers) : [],
    )
  }, quotas)
}

/** Each creation updates the usage in the quota: that is no reason to count again. */
function isNewLimit({ type, object, old }: Change<ResourceQuota>): boolean {
  return type === 'added' || (type === 'updated' && !isSame(object.spec, old?.spec))
}

type Usage = ReturnType<typeof quotaEvaluator>['usage']

/** A creation was counted by the API server. */
function isFreeing({ type, object, old }: Change<AnyObject>, usage: Usage): boolean {
  if (type !== 'updated') return type === 'deleted'
  const usageOf = (each: AnyObject) => usage(each as unknown as KubeObject, 0)
  return !equalAmounts(usageOf(object), usageOf(old!))
}

function* quotasAround({ metadata }: AnyObject, informers: SharedInformers): Iterable<string> {
  for (const quota of informers.of(ResourceQuota).by('namespace', metadata.namespace!)) yield keyOf(quota)
}

function observer() {
  const resources = new CountableResources()
  const deletions = new DeletionWatches(watchedKinds.map(locationOf), (object, { informers }) =>
    quotasAround(object, informers),
  )
  return async (key: string, context: ReconcileContext): Promise<QuotaObservation | undefined> => {
    const { client, informers, environment } = context
    const quota = informers.of(ResourceQuota).get(key)
    if (!quota || quota.metadata.deletionTimestamp !== undefined) return undefined
    const limited = await resources.limitedBy(quota, client)
    deletions.watch(
      limited.map(({ place }) => place),
      context,
    )
    return { quota, counted: await usageUnder(quota, limited, { client, now: environment.clock.now() }) }
  }
}
