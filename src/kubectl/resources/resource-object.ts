import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { JsonObject } from '../../schema/declaration.js'
import { isObject, objectIn, stringIn } from '../../schema/json-value.js'

/** An object that a command works on: its resource, name and content. */
export interface ResourceObject {
  readonly resource: DiscoveredResource
  /** '' for cluster-scoped resources, or for all namespaces. */
  readonly namespace: string
  /** '' for a list of objects. */
  readonly name: string
  /** The content, from the server or a file. */
  readonly object: JsonObject
  /** The file that it comes from; '' for the server. */
  readonly source: string
}

export interface Metadata {
  readonly name?: string
  readonly namespace?: string
  readonly generateName?: string
  readonly resourceVersion?: string
  readonly uid?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly managedFields?: readonly JsonObject[]
  readonly ownerReferences?: readonly JsonObject[]
  readonly finalizers?: readonly string[]
}

export function metadataOf(object: JsonObject): Metadata {
  return (objectIn(object, 'metadata') ?? {}) as Metadata
}

/** Returns the object with changed metadata. Undefined values are removed. */
export function withMetadata(object: JsonObject, changes: Readonly<Record<string, unknown>>): JsonObject {
  const entries = Object.entries({ ...objectIn(object, 'metadata'), ...changes }).filter(
    ([, each]) => each !== undefined,
  )
  return { ...object, metadata: Object.fromEntries(entries) as JsonObject }
}

/** `/api/v1/namespaces/default/pods/web/scale` */
export function resourcePath(
  { root, plural, namespaced }: Pick<DiscoveredResource, 'root' | 'plural' | 'namespaced'>,
  namespace = '',
  ...parts: readonly string[]
): string {
  const home = namespaced && namespace !== '' ? `${root}/namespaces/${encodeURIComponent(namespace)}` : root
  return [home, plural, ...parts.filter((part) => part !== '').map(encodeURIComponent)].join('/')
}

export function objectPath(
  { resource, namespace, name }: Omit<ResourceObject, 'object' | 'source'>,
  subresource = '',
): string {
  return resourcePath(resource, namespace, name, subresource)
}

/** `deployment.apps`, for messages and `-o name`. */
export function kindName({ kind, group }: Pick<DiscoveredResource, 'kind' | 'group'>): string {
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
}

/** `deployments.apps` */
export function resourceName({ plural, group }: Pick<DiscoveredResource, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** `deployment.apps/web`, from the object's own kind and version. */
export function objectName(object: JsonObject): string {
  const { name = '' } = metadataOf(object)
  return `${kindName(groupKindOf(object))}/${name}`
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export function groupKindOf(object: JsonObject): GroupVersionKind {
  const apiVersion = stringIn(object, 'apiVersion')
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return { group, version, kind: stringIn(object, 'kind') }
}

/** Whether the object is a list of objects. */
export function isListObject(object: JsonObject): boolean {
  return stringIn(object, 'kind').endsWith('List') && Array.isArray(object.items)
}

/** Returns the items of a list, each with kind and version. */
export function itemsOf(list: JsonObject): readonly JsonObject[] {
  const { version, group, kind } = groupKindOf(list)
  const own = { apiVersion: group === '' ? version : `${group}/${version}`, kind: kind.replace(/List$/, '') }
  const items = (list.items as readonly JsonObject[] | null) ?? []
  return items.filter(isObject).map((item) => (kind === 'List' ? item : { ...own, ...item }))
}
