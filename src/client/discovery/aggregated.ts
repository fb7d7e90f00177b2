import {
  type Discovered,
  type DiscoveredGroup,
  type DiscoveredResource,
  type DiscoveredSubresource,
  groupVersion,
  rootOf,
} from './discovered.js'

/** Accepts all groups in one response; a server without aggregated discovery responds with the older list. */
export const aggregatedTypes = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',')

export interface AggregatedList {
  readonly kind: 'APIGroupDiscoveryList'
  readonly items?: readonly AggregatedGroup[] | null
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string }
  readonly versions?: readonly AggregatedVersion[] | null
}

interface AggregatedVersion {
  readonly version: string
  readonly freshness?: string
  readonly resources?: readonly AggregatedResource[] | null
}

interface ObjectKind {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
}

interface AggregatedResource {
  readonly resource: string
  readonly responseKind?: ObjectKind
  readonly scope?: string
  readonly singularResource?: string
  readonly verbs?: readonly string[] | null
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly AggregatedSubresource[] | null
}

interface AggregatedSubresource {
  readonly subresource: string
  readonly responseKind?: ObjectKind
  readonly verbs?: readonly string[] | null
}

export function isAggregated(value: unknown): value is AggregatedList {
  return (value as { readonly kind?: unknown } | null)?.kind === 'APIGroupDiscoveryList'
}

/** Decodes an aggregated response. A version that the server marks as stale becomes a failure. */
export function readAggregated({ items }: AggregatedList): Discovered {
  const groups = items ?? []
  const stale = groups.flatMap(({ metadata, versions }) =>
    (versions ?? [])
      .filter(({ freshness }) => freshness === 'Stale')
      .map(({ version }) => groupVersion(metadata?.name ?? '', version)),
  )
  return {
    groups: groups.map(groupOf),
    failures: stale.map((name) => ({
      groupVersion: name,
      error: new Error(`stale GroupVersion discovery: ${name}`),
    })),
  }
}

function groupOf({ metadata, versions }: AggregatedGroup): DiscoveredGroup {
  const name = metadata?.name ?? ''
  return {
    name,
    versions: (versions ?? []).map(({ version, resources }) => ({
      version,
      // Some resources have no verbs of their own, and exist only for their subresources.
      resources: (resources ?? []).map((resource) => resourceOf(name, version, resource)),
    })),
  }
}

function resourceOf(group: string, version: string, given: AggregatedResource): DiscoveredResource {
  const type = typeOf(group, version, given.responseKind)
  return {
    root: rootOf(group, version),
    plural: given.resource,
    namespaced: given.scope === 'Namespaced',
    ...type,
    group,
    version,
    singular: given.singularResource || type.kind.toLowerCase(),
    shortNames: given.shortNames ?? [],
    categories: given.categories ?? [],
    verbs: given.verbs ?? [],
    subresources: (given.subresources ?? []).map((each) => subresourceOf(group, version, each)),
  }
}

function subresourceOf(group: string, version: string, given: AggregatedSubresource): DiscoveredSubresource {
  return { name: given.subresource, verbs: given.verbs ?? [], ...typeOf(group, version, given.responseKind) }
}

/** The response leaves out the group and version of a kind if they are those of the resource. */
function typeOf(group: string, version: string, kind: ObjectKind = {}) {
  const own = kind.version ? groupVersion(kind.group ?? '', kind.version) : groupVersion(group, version)
  return { apiVersion: own, kind: kind.kind ?? '' }
}
