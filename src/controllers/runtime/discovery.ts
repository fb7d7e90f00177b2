import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { discoverBy } from '../../client/discovery/discovery.js'

/** What a server serves: the declared kinds, and those that somebody added. */
export interface Discovery {
  /** In every version; of each group the preferred version comes first. */
  readonly resources: readonly DiscoveredResource[]
  /** Versions of groups, `metrics.k8s.io/v1beta1`, of which nothing is known because whoever serves them does not answer, and why. */
  readonly failures: ReadonlyMap<string, string>
}

/** For loops that deal with everything there is: they must not take silence for an answer. */
export async function discover(client: Client): Promise<Discovery> {
  const { groups, failures } = await discoverBy(client)()
  if (!groups.some(({ name }) => name === '')) throw new Error('nothing is known of what is served under /api')
  if (!groups.some(({ name }) => name !== '')) throw new Error('nothing is known of what is served under /apis')
  return {
    resources: groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources)),
    failures: new Map(failures.map(({ groupVersion, error }) => [groupVersion, error.message])),
  }
}

/** Each resource once, in the version that its group prefers of those that have it. */
export function preferred(resources: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const first = new Map<string, DiscoveredResource>()
  for (const resource of resources) {
    const name = groupResource(resource)
    if (!first.has(name)) first.set(name, resource)
  }
  return [...first.values()]
}

/** `pods.`, `deployments.apps`: as upstream names them where it tells of several. */
export function groupResource({ plural, group }: DiscoveredResource): string {
  return `${plural}.${group}`
}

/** One sentence about all that could not be discovered. */
export function failureMessage(failures: Discovery['failures']): string {
  const each = [...failures].map(([groupVersion, why]) => `${groupVersion}: ${why}`).sort()
  return `unable to retrieve the complete list of server APIs: ${each.join(', ')}`
}
