import {
  type Discovered,
  type DiscoveredGroup,
  type DiscoveredResource,
  type DiscoveredSubresource,
  groupVersion,
  rootOf,
} from './discovered.js'

/** All groups in one answer, where the server can do that; else the list of old. */
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

interface ResponseKind {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
}

interface AggregatedResource {
  readonly resource: string
  readonly responseKind?: ResponseKind
  readonly scope?: string
  readonly singularResource?: string
  readonly verbs?: readonly string[] | null
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly AggregatedSubresource[] | null
}

interface AggregatedSubresource {
  readonly subresource: string
  readonly responseKind?: ResponseKind
  readonly verbs?: readonly string[] | null
}

export function isAggregated(value: unknown): value is AggregatedList {
  return (value as { readonly kind?: unknown } | null)?.kind === 'APIGroupDiscoveryList'
}

/** What such an answer says. A version that the server itself could not look up is a failure. */
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
      // Some have no verbs of their own, and are there for their subresources only.
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

/** An answer that is of the same version as the resource does not say so. */
function typeOf(group: string, version: string, kind: ResponseKind = {}) {
  const own = kind.version ? groupVersion(kind.group ?? '', kind.version) : groupVersion(group, version)
  return { apiVersion: own, kind: kind.kind ?? '' }
}
