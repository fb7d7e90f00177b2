import { validateBinding } from '../../../api/core/v1/binding/strategy.js'
import type { Binding } from '../../../api/core/v1/binding.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { badRequest, conflict, objectModified, unknown } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { aggregateMessages } from '../../../schema/field-errors.js'
import { quote } from '../../../schema/quote.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { VerbHandlers } from '../../request/routing.js'
import type { ObjectResponse } from '../../response/response.js'
import { checkUid, objectIdentity } from '../../verbs/update-object.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import { changeObject } from '../change-object.js'
import type { ServedResource } from '../served-resource.js'
import { readSubmittedObject, submissionRequest, successResponse } from '../subresource.js'
import { withPodCondition } from './conditions.js'

/** `pods/binding`: the scheduler assigns a node to a pod, once. */
export const bindingHandlers: VerbHandlers = { create: (scope) => bind(scope, scope.resource) }

/** `bindings`: the older form of the same request. */
export function legacyBindingHandlers(pods: () => ServedResource): VerbHandlers {
  return { create: (scope) => bind(scope, pods()) }
}

async function bind(scope: VerbScope, pods: ServedResource): Promise<ObjectResponse> {
  const submission = await readSubmittedObject(scope, 'core/v1.Binding')
  const request = submissionRequest(scope, submission)
  await scope.admission.mutate(request)
  const binding = submission.object as Binding
  const name = binding.metadata.name ?? ''
  if (scope.name !== '' && scope.name !== name) throw badRequest('name in URL does not match name in Binding object')
  const errors = [...validateBinding(binding)]
  if (errors.length > 0) throw unknown(aggregateMessages(errors.map(String)))
  await scope.admission.validate(request)
  const time = scope.timestamps.now()
  await changeObject({ ...scope, resource: pods, name }, (object, cached) => {
    checkPreconditions({ ...scope, resource: pods, name }, binding, cached)
    const bound = boundPod(object as Pod, binding, time)
    return submission.options.dryRun ? object : (bound as KubeObject)
  })
  return successResponse(scope)
}

/** Rejects a binding for another uid or resource version of the pod. */
function checkPreconditions(scope: VerbScope, { metadata }: Binding, cached: CachedObject): void {
  checkUid(scope, objectIdentity(cached), metadata.uid)
  const { resourceVersion = '' } = metadata
  if (resourceVersion !== '' && resourceVersion !== String(cached.revision))
    throw objectModified(scope.resource.groupResource, scope.name)
}

function boundPod(pod: Pod, { metadata, target }: Binding, time: string): Pod {
  const name = pod.metadata.name!
  if (pod.metadata.deletionTimestamp !== undefined)
    throw bindingConflict(name, `pod ${name} is being deleted, cannot be assigned to a host`)
  if (pod.spec.nodeName)
    throw bindingConflict(name, `pod ${name} is already assigned to node ${quote(pod.spec.nodeName)}`)
  if (pod.spec.schedulingGates?.length) throw bindingConflict(name, `pod ${name} has non-empty .spec.schedulingGates`)
  const { nominatedNodeName, ...status } = pod.status
  const bound: Pod = {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(metadata.labels && { labels: { ...metadata.labels, ...pod.metadata.labels } }),
      ...(metadata.annotations && { annotations: { ...pod.metadata.annotations, ...metadata.annotations } }),
    },
    spec: { ...pod.spec, nodeName: target.name! },
    status,
  }
  return withPodCondition(bound, { type: 'PodScheduled', status: 'True' }, time)
}

function bindingConflict(name: string, why: string): Error {
  return conflict({ group: '', resource: 'pods/binding' }, name, why)
}
