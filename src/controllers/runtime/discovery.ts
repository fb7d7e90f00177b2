import type { Client } from '../../client/client.js'
import type { Discovered, DiscoveredResource } from '../../client/discovery/discovered.js'
import { discoverBy } from '../../client/discovery/discovery.js'

/** What a server serves: built-in, custom and aggregated resources. */
export interface ServedResources {
  /** In every version; the preferred version of each group comes first. */
  readonly resources: readonly DiscoveredResource[]
  /** Why a group version is unknown, by group version (`metrics.k8s.io/v1beta1`): its server does not respond. */
  readonly failures: ReadonlyMap<string, string>
}

/** For controllers that handle every resource. Throws if the server lists nothing, which would look like an empty cluster. */
export async function discover(client: Client): Promise<ServedResources> {
  const discovered = await discoverBy(client)()
  const served = servedBefore.get(discovered) ?? servedIn(discovered)
  servedBefore.set(discovered, served)
  return served
}

/** The same discovery gives the same result, so that controllers see that nothing has changed. */
const servedBefore = new WeakMap<Discovered, ServedResources>()

function servedIn({ groups, failures }: Discovered): ServedResources {
  if (!groups.some(({ name }) => name === '')) throw new Error('the server lists no resources under /api')
  if (!groups.some(({ name }) => name !== '')) throw new Error('the server lists no resources under /apis')
  return {
    resources: groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources)),
    failures: new Map(failures.map(({ groupVersion, error }) => [groupVersion, error.message])),
  }
}

/** Each resource once, in the most preferred version that has it. */
export function preferred(resources: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const first = new Map<string, DiscoveredResource>()
  for (const resource of resources) {
    const name = groupResource(resource)
    if (!first.has(name)) first.set(name, resource)
  }
  return [...first.values()]
}

/** `pods.`, `deployments.apps`: upstream's form in messages. */
export function groupResource({ plural, group }: DiscoveredResource): string {
  return `${plural}.${group}`
}

/** One sentence about all group versions that could not be discovered. */
export function failureMessage(failures: ServedResources['failures']): string {
  const each = [...failures].map(([groupVersion, reason]) => `${groupVersion}: ${reason}`).sort()
  return `unable to retrieve the complete list of server APIs: ${each.join(', ')}`
}
