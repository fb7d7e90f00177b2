import type { Client } from '../../client/client.js'
import type { ResourcePlace } from '../../client/place.js'

/** A resource as discovery tells of it. */
export interface ServedResource extends ResourcePlace {
  /** Of the core: ''. */
  readonly group: string
  readonly version: string
  readonly verbs: ReadonlySet<string>
}

/** What a server serves: the declared kinds, and those that somebody added. */
export interface Discovery {
  /** In every version; of each group the preferred version comes first. */
  readonly resources: readonly ServedResource[]
  /** Versions of groups, `metrics.k8s.io/v1beta1`, of which nothing is known because whoever serves them does not answer, and why. */
  readonly failures: ReadonlyMap<string, string>
}

const everything = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

export async function discover(client: Client): Promise<Discovery> {
  const lists = await Promise.all([readGroups(client, '/api'), readGroups(client, '/apis')])
  const versions = lists.flat().flatMap(({ metadata, versions }) => versions.map((each) => read(metadata.name, each)))
  return {
    resources: versions.flatMap(({ resources }) => resources),
    failures: new Map(versions.flatMap(({ failures }) => failures)),
  }
}

/** Each resource once, in the version that its group prefers of those that have it. */
export function preferred(resources: readonly ServedResource[]): readonly ServedResource[] {
  const first = new Map<string, ServedResource>()
  for (const resource of resources) {
    const name = groupResource(resource)
    if (!first.has(name)) first.set(name, resource)
  }
  return [...first.values()]
}

/** `pods.`, `deployments.apps`: as upstream names them where it tells of several. */
export function groupResource({ plural, group }: ServedResource): string {
  return `${plural}.${group}`
}

/** One sentence about all that could not be discovered. */
export function failureMessage(failures: Discovery['failures']): string {
  const each = [...failures].map(([groupVersion, why]) => `${groupVersion}: ${why}`).sort()
  return `unable to retrieve the complete list of server APIs: ${each.join(', ')}`
}

interface Group {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly Version[]
}

interface Version {
  readonly version: string
  readonly freshness?: string
  readonly resources?: readonly {
    readonly resource: string
    readonly responseKind?: { readonly kind: string }
    readonly scope: string
    readonly verbs: readonly string[]
  }[]
}

async function readGroups(client: Client, path: string): Promise<readonly Group[]> {
  const { bytes } = await client.raw(path, {}, { accept: everything })
  return (JSON.parse(Buffer.from(bytes).toString()) as { readonly items: readonly Group[] }).items
}

interface Known {
  readonly resources: readonly ServedResource[]
  readonly failures: readonly (readonly [string, string])[]
}

function read(group = '', { version, freshness, resources = [] }: Version): Known {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`
  if (freshness === 'Stale')
    return { resources: [], failures: [[apiVersion, `stale GroupVersion discovery: ${apiVersion}`]] }
  return {
    failures: [],
    resources: resources.map(({ resource: plural, responseKind, scope, verbs }) => ({
      ...{ root, plural, namespaced: scope === 'Namespaced', apiVersion, kind: responseKind?.kind ?? '' },
      ...{ group, version, verbs: new Set(verbs) },
    })),
  }
}
