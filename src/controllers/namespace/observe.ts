import { Namespace } from '../../api/core/v1/namespace.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { locationOf } from '../../client/resource-location.js'
import { discover, failureMessage, preferred, type ServedResources } from '../runtime/discovery.js'
import { messageOf, unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { type NamespaceObservation, namespaceFinalizer } from './decide.js'

/** Reads the namespace from the server, which may be ahead of the informer, and discovers everything that it can contain. */
export async function observe(
  name: string,
  { client, environment }: ReconcileContext,
): Promise<NamespaceObservation | undefined> {
  const namespace = await unlessNotFound(client.resource(Namespace).get(name))
  const deleted = namespace?.metadata.deletionTimestamp
  if (!namespace || deleted === undefined || !namespace.spec.finalizers?.includes(namespaceFinalizer)) return undefined
  const now = environment.clock.now()
  return { namespace, deletedAt: Date.parse(deleted), now, remaining: [], ...(await discoverContents(client)) }
}

type Contents = Pick<NamespaceObservation, 'undeleted' | 'undiscovered'>

/** If a part cannot be discovered, the rest is deleted all the same. Pods come first. */
async function discoverContents(client: Client): Promise<Contents> {
  try {
    const { resources, failures } = await discover(client)
    const found = preferred(resources).filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'))
    const undeleted = [found.filter(isPods), found.filter((resource) => !isPods(resource))]
    return { undeleted, ...(failures.size > 0 && { undiscovered: discoveryMessage(failures) }) }
  } catch (error) {
    return { undeleted: [], undiscovered: messageOf(error) }
  }
}

function isPods({ root, plural }: DiscoveredResource): boolean {
  const pods = locationOf(Pod)
  return root === pods.root && plural === pods.plural
}

function discoveryMessage(failures: ServedResources['failures']): string {
  return `ServedResources failed for some groups, ${failures.size} failing: ${failureMessage(failures)}`
}
