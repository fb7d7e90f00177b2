import { createHash } from 'node:crypto'
import type { JsonObject, Subresource } from '../../schema/declaration.js'
import type { Group } from '../../schema/groups.js'
import type { Scheme, ServedKind } from '../../schema/scheme.js'
import { compareText } from '../../schema/text-order.js'

// Discovery by group and version: the form that every client understands.

/** Returns the groups that serve a resource, without the core group, in list order. */
export function namedGroups(scheme: Scheme): readonly Group[] {
  return scheme.groups.filter(({ name }) => name !== '' && versionsOf(scheme, name).length > 0)
}

/** Returns the versions of a group that serve a resource, the preferred one first. */
export function versionsOf(scheme: Scheme, group: string): readonly string[] {
  const present = new Set(scheme.resources.filter(({ kind }) => kind.group === group).map(({ kind }) => kind.version))
  const listed = scheme.groups.filter(({ name }) => name === group).flatMap(({ served }) => served)
  return [...new Set([...listed.filter((version) => present.has(version)), ...present])]
}

export function apiGroupList(scheme: Scheme): JsonObject {
  const groups = namedGroups(scheme).map(({ name }) => groupOf(scheme, name))
  return { kind: 'APIGroupList', apiVersion: 'v1', groups }
}

/** Returns one group as an item of the list: without kind and apiVersion. */
function groupOf(scheme: Scheme, name: string): JsonObject {
  const versions = versionsOf(scheme, name).map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0]! }
}

export function singleGroup(scheme: Scheme, name: string): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(scheme, name) }
}

/** Returns the versions of the core group, and the address of the server. */
export function coreVersions(scheme: Scheme, address: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: versionsOf(scheme, ''),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  }
}

/** Returns the resources of one version of a group; undefined if there is no such version. */
export function resourceList(scheme: Scheme, group: string, version: string): JsonObject | undefined {
  const kinds = kindsIn(scheme, group, version)
  if (kinds.length === 0) return undefined
  const resources = kinds
    .flatMap((type) => resourceEntries(scheme, type))
    .sort((a, b) => compareText(String(a.name), String(b.name)))
  const groupVersion = group === '' ? version : `${group}/${version}`
  return { kind: 'APIResourceList', ...(group !== '' && { apiVersion: 'v1' }), groupVersion, resources }
}

export function kindsIn(scheme: Scheme, group: string, version: string): readonly ServedKind[] {
  return scheme.resources.filter(({ kind }) => kind.group === group && kind.version === version)
}

function resourceEntries(scheme: Scheme, type: ServedKind): JsonObject[] {
  const { kind, resource } = type.kind
  const { plural, singular, namespaced, verbs, shortNames, categories } = resource
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs].sort(),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(verbs.includes('list') && verbs.includes('create') && { storageVersionHash: storageVersionHash(scheme, type) }),
  }
  const parts = Object.entries(resource.subresources).map(([name, subresource]) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    ...subresourceKind(type, subresource),
    verbs: [...subresource.verbs].sort(),
  }))
  return [own, ...parts]
}

/** Returns a hash of the storage version, by which a migration detects that it changed. */
function storageVersionHash(scheme: Scheme, { kind, strategy }: ServedKind): string {
  const stored = strategy.stored ? scheme.type(strategy.stored.type).kind! : kind
  const text = `${stored.group}/${stored.version}/${stored.kind}`
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64')
}

/** Returns the kind of a subresource, with group and version if they differ from its parent's. */
export function subresourceKind(
  parent: ServedKind,
  subresource: Subresource,
): { group?: string; version?: string; kind: string } {
  const { undeclaredKind, kind } = subresource
  if (undeclaredKind) return { kind: undeclaredKind }
  if (!kind) return { kind: parent.kind.kind }
  const [groupVersion = '', name = ''] = [kind.slice(0, kind.lastIndexOf('.')), kind.slice(kind.lastIndexOf('.') + 1)]
  const [short = '', version = ''] = groupVersion.split('/')
  const group = groupNames[short] ?? short
  return group === parent.kind.group && version === parent.kind.version
    ? { kind: name }
    : { group, version, kind: name }
}

/** Names of groups as the subresources of discovery spell them, if they differ. */
const groupNames: Readonly<Record<string, string>> = { core: '', authentication: 'authentication.k8s.io' }
