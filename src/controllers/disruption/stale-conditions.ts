import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import { formatTime, parseTime } from '../../schema/values/time.js'
import { hasEnded } from '../pods/readiness.js'
import { controller } from '../runtime/builder.js'
import { unlessNotFound } from '../runtime/failures.js'

/** Milliseconds that a pod may have the condition DisruptionTarget without being deleted. */
const staleAfter = 120_000

/** Sets DisruptionTarget to false on pods that were to be disrupted and were not deleted. */
export const staleConditions = controller('stale_pod_disruption')
  .watches(Pod, ({ type, object }: Change<Pod>) => (type !== 'deleted' && mayBeStale(object) ? [keyOf(object)] : []))
  .workers(1)
  .reconcile({
    async observe(key, { informers, environment }) {
      const pod = informers.of(Pod).get(key)
      return pod && { pod, now: environment.clock.now() }
    },
    decide,
    async act({ status, requeueAfter }, { pod }, { client }) {
      if (status)
        await unlessNotFound(
          client
            .resource(Pod)
            .subresource('status')
            .update({ ...pod, status }),
        )
      return requeueAfter === undefined ? undefined : { requeueAfter }
    },
  })

/** A pod that the kubelet terminates is certain to go, however long it takes. */
function mayBeStale(pod: Pod): boolean {
  const condition = disruptionTarget(pod)
  if (pod.metadata.deletionTimestamp !== undefined || hasEnded(pod)) return false
  return condition?.status === 'True' && condition.reason !== 'TerminationByKubelet'
}

function disruptionTarget({ status }: Pod): PodCondition | undefined {
  return status.conditions?.find(({ type }) => type === 'DisruptionTarget')
}

interface StaleConditionDecision {
  readonly status?: Pod['status']
  readonly requeueAfter?: number
}

function decide({ pod, now }: { readonly pod: Pod; readonly now: number }): StaleConditionDecision | undefined {
  if (!mayBeStale(pod)) return undefined
  const since = disruptionTarget(pod)?.lastTransitionTime
  const left = since ? parseTime(since) + staleAfter - now : 0
  if (left > 0) return { requeueAfter: left }
  const observedGeneration = pod.metadata.generation ?? 0
  const condition = { type: 'DisruptionTarget', status: 'False', observedGeneration } as const
  const conditions = pod.status.conditions!.map((each) =>
    each.type === condition.type ? { ...condition, lastTransitionTime: formatTime(now) } : each,
  )
  return { status: { ...pod.status, conditions } }
}
