import {
  type Discovered,
  type DiscoveredGroup,
  type DiscoveredResource,
  type DiscoveredSubresource,
  type DiscoveredVersion,
  type DiscoveryFailure,
  groupVersion,
  rootOf,
} from './discovered.js'

/** Fetches one path of discovery and returns the parsed JSON. */
export type Fetch = (path: string) => Promise<unknown>

export interface GroupList {
  readonly groups?: readonly ApiGroup[] | null
}

export interface VersionList {
  readonly versions?: readonly string[] | null
}

interface ApiGroup {
  readonly name: string
  readonly versions?: readonly { readonly version: string }[] | null
  readonly preferredVersion?: { readonly version?: string }
}

interface ResourceList {
  readonly resources?: readonly ApiResource[] | null
}

interface ApiResource {
  readonly name: string
  readonly singularName?: string
  readonly namespaced?: boolean
  readonly group?: string
  readonly version?: string
  readonly kind: string
  readonly verbs?: readonly string[] | null
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

interface GroupNames {
  readonly name: string
  readonly versions: readonly string[]
}

/**
 * Discovery without aggregation: one request for each version of each group. A version that cannot be fetched becomes a failure; the others
 * are returned.
 */
export async function fetchCore({ versions }: VersionList, fetch: Fetch): Promise<Discovered> {
  return fetchGroups([{ name: '', versions: versions ?? [] }], fetch)
}

export async function fetchNamed({ groups }: GroupList, fetch: Fetch): Promise<Discovered> {
  const names = (groups ?? []).map(({ name, versions, preferredVersion }) => {
    const all = (versions ?? []).map(({ version }) => version)
    const preferred = preferredVersion?.version
    return { name, versions: preferred ? [preferred, ...all.filter((version) => version !== preferred)] : all }
  })
  return fetchGroups(names, fetch)
}

async function fetchGroups(names: readonly GroupNames[], fetch: Fetch): Promise<Discovered> {
  const failures: DiscoveryFailure[] = []
  const versionOf = async (group: string, version: string): Promise<DiscoveredVersion> => {
    try {
      const list = (await fetch(rootOf(group, version))) as ResourceList
      return { version, resources: resourcesOf(group, version, list.resources ?? []) }
    } catch (error) {
      failures.push({ groupVersion: groupVersion(group, version), error: error as Error })
      return { version, resources: [] }
    }
  }
  const groups = await Promise.all(
    names.map(async ({ name, versions }): Promise<DiscoveredGroup> => {
      return { name, versions: await Promise.all(versions.map((version) => versionOf(name, version))) }
    }),
  )
  return { groups, failures }
}

/** Subresources are in the same list, as `pods/status`. */
function resourcesOf(group: string, version: string, list: readonly ApiResource[]): readonly DiscoveredResource[] {
  return list
    .filter(({ name }) => !name.includes('/'))
    .map((given) => ({
      root: rootOf(group, version),
      plural: given.name,
      namespaced: given.namespaced ?? false,
      ...typeOf(group, version, given),
      group,
      version,
      singular: given.singularName || given.kind.toLowerCase(),
      shortNames: given.shortNames ?? [],
      categories: given.categories ?? [],
      verbs: given.verbs ?? [],
      subresources: list
        .filter(({ name }) => name.startsWith(`${given.name}/`))
        .map((part): DiscoveredSubresource => {
          const name = part.name.slice(given.name.length + 1)
          return { name, verbs: part.verbs ?? [], ...typeOf(group, version, part) }
        }),
    }))
}

function typeOf(group: string, version: string, given: ApiResource) {
  const own = given.version ? groupVersion(given.group ?? '', given.version) : groupVersion(group, version)
  return { apiVersion: own, kind: given.kind }
}
