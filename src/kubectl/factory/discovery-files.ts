import {
  type Discovered,
  type DiscoveredResource,
  type DiscoveredSubresource,
  groupVersion,
} from '../../client/discovery/discovered.js'

/** Converts discovery to the list of groups that a server without aggregated discovery sends. */
export function groupList({ groups }: Discovered) {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map(({ name, versions }) => {
      const all = versions.map(({ version }) => ({ groupVersion: groupVersion(name, version), version }))
      return { name, versions: all, preferredVersion: all[0] }
    }),
  }
}

/** Converts discovery to lists of resources. Versions that failed are left out, so that they are requested again. */
export function resourceLists({ groups, failures }: Discovered) {
  const failed = new Set(failures.map((failure) => failure.groupVersion))
  return groups.flatMap(({ name, versions }) =>
    versions
      .map(({ version, resources }) => ({
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: groupVersion(name, version),
        resources: resources.flatMap(entries),
      }))
      .filter((list) => !failed.has(list.groupVersion)),
  )
}

function entries(resource: DiscoveredResource): readonly object[] {
  const { plural, namespaced, subresources } = resource
  const parts = subresources.map((part) => ({
    name: `${plural}/${part.name}`,
    singularName: '',
    namespaced,
    ...kindOf(part, resource),
    verbs: part.verbs,
  }))
  return [own(resource), ...parts]
}

function own(resource: DiscoveredResource): object {
  const { plural, singular, namespaced, verbs, shortNames, categories } = resource
  return {
    name: plural,
    singularName: singular,
    namespaced,
    ...kindOf(resource, resource),
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  }
}

/** Group and version are set only if they differ from those of the list. */
function kindOf({ apiVersion, kind }: Pick<DiscoveredSubresource, 'apiVersion' | 'kind'>, home: DiscoveredResource) {
  if (apiVersion === groupVersion(home.group, home.version)) return { kind }
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return { group, version, kind }
}
