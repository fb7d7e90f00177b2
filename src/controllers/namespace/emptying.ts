import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { AnyObject, ResourceClient } from '../../client/resource-client.js'
import { locationOf } from '../../client/resource-location.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import { discover, failureMessage, preferred, type ServedResources } from '../runtime/discovery.js'
import { type Emptying, graceOf, type Remaining, remainingOf } from './remaining.js'

/** How many resources, and how many objects of a resource that can only be deleted one by one, are deleted at once. */
const resourcesAtOnce = 10
const objectsAtOnce = 32

export interface Doomed {
  readonly name: string
  /** When it was deleted, and what time it is: in milliseconds. */
  readonly deletedAt: number
  readonly now: number
}

/**
 * Deletes what is in a namespace, as far as possible in one go. Pods first, and nothing else while one is left: it might come to
 * run without what protects others from it.
 */
export async function emptyNamespace(client: Client, namespace: Doomed): Promise<Emptying> {
  const { found, undiscovered } = await contentsOf(client)
  const { root, plural } = locationOf(Pod)
  const pods = found.filter((resource) => resource.root === root && resource.plural === plural)
  const rest = found.filter((resource) => !pods.includes(resource))
  const remaining = await emptyEach(client, pods, namespace)
  if (remaining.length === 0) remaining.push(...(await emptyEach(client, rest, namespace)))
  return { remaining, ...(undiscovered !== undefined && { undiscovered }) }
}

interface Contents {
  readonly found: readonly DiscoveredResource[]
  readonly undiscovered?: string
}

/** Everything that can be in a namespace. What cannot be discovered keeps nobody from deleting the rest. */
async function contentsOf(client: Client): Promise<Contents> {
  try {
    const { resources, failures } = await discover(client)
    const found = preferred(resources).filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'))
    return { found, ...(failures.size > 0 && { undiscovered: someFailed(failures) }) }
  } catch (error) {
    return { found: [], undiscovered: messageOf(error) }
  }
}

function someFailed(failures: ServedResources['failures']): string {
  return `ServedResources failed for some groups, ${failures.size} failing: ${failureMessage(failures)}`
}

/** Gives those of which something is left. */
async function emptyEach(
  client: Client,
  resources: readonly DiscoveredResource[],
  namespace: Doomed,
): Promise<Remaining[]> {
  const remaining: Remaining[] = []
  await forEachConcurrently(resources, resourcesAtOnce, async (resource) => {
    const left = await empty(client, resource, namespace)
    if (left.count > 0 || left.failure !== undefined) remaining.push(left)
  })
  return remaining
}

async function empty(client: Client, resource: DiscoveredResource, namespace: Doomed): Promise<Remaining> {
  const objects = client.resource(resource).in(namespace.name)
  try {
    const found = await list(resource, objects, { limit: 1 })
    if (found?.length === 0) return nothing(resource)
    const grace = await graceIn(client, resource, namespace)
    await deleteAll(resource, objects)
    const left = await list(resource, objects)
    return remainingOf(resource, { namespace: namespace.name, objects: left ?? [], grace })
  } catch (error) {
    return { ...nothing(resource), failure: messageOf(error) }
  }
}

function nothing(resource: DiscoveredResource): Remaining {
  return { resource, count: 0, finalizers: new Map(), estimate: 0 }
}

/** Undefined if nobody can tell. */
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

/** Only pods take their time to end, and say how long. */
async function graceIn(client: Client, { root, plural }: DiscoveredResource, namespace: Doomed): Promise<number> {
  const place = locationOf(Pod)
  if (root !== place.root || plural !== place.plural) return 0
  const { items } = await client.resource(Pod).in(namespace.name).list()
  return graceOf(items, namespace.deletedAt, namespace.now)
}

async function deleteAll(resource: DiscoveredResource, objects: ResourceClient<AnyObject>): Promise<void> {
  const background = { propagationPolicy: 'Background' } as const
  if (resource.verbs.includes('deletecollection')) {
    const isDone = await objects.deleteCollection({}, background).then(
      () => true,
      (error: unknown) => rethrowUnless(isUnsupported(error), error),
    )
    if (isDone) return
  }
  await forEachConcurrently((await list(resource, objects)) ?? [], objectsAtOnce, async ({ metadata }) => {
    await objects
      .delete(metadata.name!, background)
      .catch((error: unknown) => rethrowUnless(isUnsupported(error), error))
  })
}

/** The server does not know the resource any more, or not the verb; of single objects: they are gone. */
function isUnsupported(error: unknown): boolean {
  return hasReason(error, 'NotFound') || hasReason(error, 'MethodNotAllowed')
}

function rethrowUnless(isFine: boolean, error: unknown): false {
  if (!isFine) throw error
  return false
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
