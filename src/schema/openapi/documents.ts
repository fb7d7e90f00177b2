import type { Group } from '../groups.js'
import type { Scheme } from '../scheme.js'
import type { DocumentOptions } from './document-options.js'
import { compare, versionPath } from './names.js'
import { resourceRoutes } from './resource-routes.js'
import type { Route } from './route.js'
import { coreVersionsRoute, groupListRoute, groupRoute, otherRoutes, resourceListRoute } from './server-routes.js'

/**
 * The routes of each document by its path, such as `apis/apps/v1`. Routes are created on demand. Version 3 has one document per path;
 * the document of version 2 contains all of them.
 */
export function documentRoutes(
  scheme: Scheme,
  publication: DocumentOptions,
): ReadonlyMap<string, () => readonly Route[]> {
  const documents = new Map<string, () => readonly Route[]>()
  documents.set('api', () => [coreVersionsRoute(scheme)])
  documents.set('apis', () => [groupListRoute(scheme)])
  for (const group of servedGroups(scheme)) {
    if (group.name !== '') documents.set(`apis/${group.name}`, () => [groupRoute(scheme, group.name)])
    for (const version of group.served) {
      const path = versionPath(group.name, version).slice(1)
      documents.set(path, () => versionRoutes(scheme, publication, `${group.name}/${version}`))
    }
  }
  for (const [path, routes] of otherRoutes(scheme, publication)) documents.set(path, () => routes)
  return new Map([...documents].sort(([a], [b]) => compare(a, b)))
}

function servedGroups({ groups }: Scheme): Group[] {
  return groups.filter(({ served }) => served.length > 0)
}

function versionRoutes(scheme: Scheme, publication: DocumentOptions, groupVersion: string): readonly Route[] {
  const [group, version] = groupVersion.split('/') as [string, string]
  const kinds = scheme.resources.filter(({ kind }) => kind.group === group && kind.version === version)
  const routes = kinds.flatMap((kind) => resourceRoutes({ scheme, publication, kind }))
  return [resourceListRoute(scheme, group, version), ...routes.sort((a, b) => compare(a.path, b.path))]
}
