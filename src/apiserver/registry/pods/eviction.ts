import type { Pod } from '../../../api/core/v1/pod.js'
import { badRequest, unknown } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { DeleteOptions } from '../../../api/meta/v1/delete-options.js'
import type { Eviction } from '../../../api/policy/v1/eviction.js'
import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import { Admission } from '../../admission/admission.js'
import type { VerbHandlers } from '../../request/routing.js'
import type { ObjectResponse } from '../../response/response.js'
import { deleteObject } from '../../verbs/delete-object.js'
import { find } from '../../verbs/get.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import { changeObject } from '../change-object.js'
import type { ServedResource } from '../served-resource.js'
import { readSubmittedObject, submissionRequest, successResponse } from '../subresource.js'
import { isPodReady, withPodCondition } from './conditions.js'
import { recordDisruption } from './disruption-budget.js'

/** The plugins admit the eviction, and not the deletion that follows from it. */
const noAdmission = new Admission([])

/** `pods/eviction`: deletes a pod if its disruption budget allows it. */
export function evictionHandlers(budgets: () => ServedResource): VerbHandlers {
  return { create: (scope) => evict(scope, budgets()) }
}

async function evict(scope: VerbScope, budgets: ServedResource): Promise<ObjectResponse> {
  const submission = await readSubmittedObject(scope, 'policy/v1.Eviction')
  const request = submissionRequest(scope, submission)
  await scope.admission.mutate(request)
  const eviction = submission.object as Eviction
  if ((eviction.metadata.name ?? '') !== scope.name)
    throw badRequest('name in URL does not match name in Eviction object')
  const options = deletionOf(eviction, submission.options.dryRun)
  const dryRun = (options.dryRun ?? []).length > 0
  await scope.admission.validate(request)
  const pod = (await find(scope)).object as Pod
  if (!isOutsideBudget(pod)) await useBudget(scope, budgets, pod, dryRun)
  if (!dryRun) await setDisruptionTarget(scope)
  await deleteObject({ ...scope, subresource: '', admission: noAdmission }, options)
  return successResponse(scope)
}

/** Dry run can be requested in the query and in the body, which must agree. */
function deletionOf({ deleteOptions }: Eviction, dryRun: boolean): DeleteOptions {
  const given = deleteOptions ?? ({} as DeleteOptions)
  if (!dryRun) return given
  if (given.dryRun?.length && !given.dryRun.includes('All'))
    throw unknown(`Non-matching dry-run options in request and content: [All] and [${given.dryRun.join(' ')}]`)
  return { ...given, dryRun: ['All'] }
}

/** Whether the pod does not count for its budget: it does not run yet, or not any more. */
function isOutsideBudget({ metadata, status: { phase } }: Pod): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || metadata.deletionTimestamp !== undefined
}

async function useBudget(scope: VerbScope, budgets: ServedResource, pod: Pod, dryRun: boolean): Promise<void> {
  const [budget, ...others] = budgetsOf(budgets, pod)
  if (!budget) return
  if (others.length > 0)
    throw unknown('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.')
  if (!isPodReady(pod) && mayEvictUnready(budget)) return
  const target = { ...scope, resource: budgets, name: budget.metadata.name! }
  await changeObject(target, (object) => {
    const updated = recordDisruption(object as PodDisruptionBudget, pod.metadata.name!, scope.timestamps.now())
    return dryRun ? object : updated
  })
}

function budgetsOf(budgets: ServedResource, { metadata }: Pod): readonly PodDisruptionBudget[] {
  return budgets.objects
    .list(`${budgets.prefix}${metadata.namespace}/`)
    .map(({ object }) => object as PodDisruptionBudget)
    .filter(({ spec }) => LabelSelector.from(spec.selector).matches(metadata.labels ?? {}))
}

/** Whether a pod that is not ready may be evicted without using the budget. */
function mayEvictUnready({ spec, status }: PodDisruptionBudget): boolean {
  const { desiredHealthy = 0, currentHealthy = 0 } = status
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  return currentHealthy >= desiredHealthy && desiredHealthy > 0
}

/** Records the reason in the pod's conditions. */
async function setDisruptionTarget(scope: VerbScope): Promise<void> {
  await changeObject(scope, (object) => {
    const pod = object as Pod
    const { generation } = pod.metadata
    const condition = {
      type: 'DisruptionTarget',
      ...(generation && { observedGeneration: generation }),
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    } as const
    return withPodCondition(pod, condition, scope.timestamps.now()) as KubeObject
  })
}
