import { Namespace } from '../../api/core/v1/namespace.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { AnyObject, ResourceClient } from '../../client/resource-client.js'
import { locationOf } from '../../client/resource-location.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import { messageOf, unlessNotFound } from '../runtime/failures.js'
import type { ActResult, ReconcileContext } from '../runtime/reconcile.js'
import { type NamespaceDecision, type NamespaceObservation, namespaceFinalizer } from './decide.js'
import { type RemainingContent, remainingContent, remainingGrace } from './remaining-content.js'

/** How many resources are deleted at the same time, and how many objects of a resource that has no `deletecollection`. */
const concurrentResources = 10
const concurrentObjects = 32

export async function act(
  decision: NamespaceDecision,
  observation: NamespaceObservation,
  context: ReconcileContext,
): Promise<ActResult<NamespaceObservation> | undefined> {
  if (decision.do === 'report') return report(decision, observation, context)
  const remaining = await deleteContent(decision.resources, observation, context.client)
  const undeleted = observation.undeleted.slice(1)
  return { observation: { ...observation, remaining, undeleted, now: context.environment.clock.now() } }
}

async function report(
  { status, isEmpty, failures, requeueAfter }: NamespaceDecision & { readonly do: 'report' },
  { namespace, undiscovered }: NamespaceObservation,
  { client, environment: { log } }: ReconcileContext,
): Promise<ActResult<NamespaceObservation> | undefined> {
  const { name } = namespace.metadata
  // A conflict must not keep the content from being deleted: the next reconcile writes the conditions.
  if (status)
    await client
      .resource(Namespace)
      .subresource('status')
      .update({ ...namespace, status })
      .catch((error: unknown) => log.warn('namespace status update failed', { namespace: name, error }))
  if (isEmpty) return finalize(client, namespace)
  if (failures.length > 0 || undiscovered !== undefined)
    log.warn('namespace deletion incomplete', { namespace: name, failures, undiscovered })
  return { requeueAfter }
}

/** Removes our finalizer. With the last finalizer the namespace goes. */
async function finalize(client: Client, { metadata: { name = '', uid } }: Namespace): Promise<undefined> {
  const namespaces = client.resource(Namespace)
  for (;;) {
    const namespace = await unlessNotFound(namespaces.get(name))
    if (!namespace || namespace.metadata.uid !== uid) return
    const finalizers = (namespace.spec.finalizers ?? []).filter((finalizer) => finalizer !== namespaceFinalizer)
    try {
      await namespaces.subresource('finalize').update({ ...namespace, spec: { ...namespace.spec, finalizers } })
      return
    } catch (error) {
      if (hasReason(error, 'NotFound')) return
      if (!hasReason(error, 'Conflict')) throw error
    }
  }
}

/** Returns the resources of which something is left. */
async function deleteContent(
  resources: readonly DiscoveredResource[],
  observation: NamespaceObservation,
  client: Client,
): Promise<readonly RemainingContent[]> {
  const remaining: RemainingContent[] = []
  await forEachConcurrently(resources, concurrentResources, async (resource) => {
    const left = await deleteResource(resource, observation, client)
    if (left.count > 0 || left.failure !== undefined) remaining.push(left)
  })
  return remaining
}

async function deleteResource(
  resource: DiscoveredResource,
  observation: NamespaceObservation,
  client: Client,
): Promise<RemainingContent> {
  const { name: namespace = '' } = observation.namespace.metadata
  const objects = client.resource(resource).in(namespace)
  try {
    const found = await list(resource, objects, { limit: 1 })
    if (found?.length === 0) return nothing(resource)
    const grace = await graceOf(resource, observation, client)
    await deleteAll(resource, objects)
    const left = await list(resource, objects)
    return remainingContent(resource, { namespace, objects: left ?? [], grace })
  } catch (error) {
    return { ...nothing(resource), failure: messageOf(error) }
  }
}

function nothing(resource: DiscoveredResource): RemainingContent {
  return { resource, count: 0, finalizers: new Map(), estimate: 0 }
}

/** Undefined if the resource cannot be listed. */
async function list(
  { verbs }: DiscoveredResource,
  objects: ResourceClient<AnyObject>,
  options: { readonly limit?: number } = {},
): Promise<readonly AnyObject[] | undefined> {
  if (!verbs.includes('list')) return undefined
  try {
    return (await objects.metadataOnly().list(options)).items
  } catch (error) {
    if (isUnsupported(error)) return undefined
    throw error
  }
}

/** Only pods have a grace period. In seconds. */
async function graceOf(
  { root, plural }: DiscoveredResource,
  { namespace, deletedAt, now }: NamespaceObservation,
  client: Client,
): Promise<number> {
  const pods = locationOf(Pod)
  if (root !== pods.root || plural !== pods.plural) return 0
  const { items } = await client.resource(Pod).in(namespace.metadata.name!).list()
  return remainingGrace(items, deletedAt, now)
}

async function deleteAll(resource: DiscoveredResource, objects: ResourceClient<AnyObject>): Promise<void> {
  const background = { propagationPolicy: 'Background' } as const
  if (resource.verbs.includes('deletecollection')) {
    const isDeleted = await objects.deleteCollection({}, background).then(
      () => true,
      (error: unknown) => rethrowUnless(isUnsupported(error), error),
    )
    if (isDeleted) return
  }
  await forEachConcurrently((await list(resource, objects)) ?? [], concurrentObjects, async ({ metadata }) => {
    await objects
      .delete(metadata.name!, background)
      .catch((error: unknown) => rethrowUnless(isUnsupported(error), error))
  })
}

/** The server no longer serves the resource, or not this verb, or the object is gone. */
function isUnsupported(error: unknown): boolean {
  return hasReason(error, 'NotFound') || hasReason(error, 'MethodNotAllowed')
}

function rethrowUnless(isExpected: boolean, error: unknown): false {
  if (!isExpected) throw error
  return false
}
