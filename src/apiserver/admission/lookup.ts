import type { KubeObject } from '../../api/kube-object.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { ServedResource } from '../registry/served-resource.js'

/** Objects of one kind as plugins look them up: in memory, in the version in which they are stored. */
export class ObjectLookup<T> {
  readonly #resource: ServedResource
  readonly #store: ObjectStore
  /** By namespace, until one of them changes: what plugins list (limits, quotas, classes) is asked for much more often. */
  #lists = new Map<string, readonly CachedObject[]>()

  constructor(resource: ServedResource, store: ObjectStore) {
    this.#resource = resource
    this.#store = store
    const forget = () => this.#forget()
    resource.objects.follow({ changed: forget, reset: forget })
  }

  /** As far as this server has heard. */
  get(name: string, namespace = ''): T | undefined {
    return this.kept(name, namespace)?.object as T | undefined
  }

  kept(name: string, namespace = ''): CachedObject | undefined {
    return this.#resource.objects.get(this.#resource.key(namespace, name))
  }

  /** The same, but what is missing is not taken for missing before every acknowledged write has been heard of. */
  async find(name: string, namespace = ''): Promise<T | undefined> {
    const known = this.get(name, namespace)
    if (known) return known
    await this.#store.waitUntilCurrent()
    return this.get(name, namespace)
  }

  /** All of them, or those of a namespace, in the order of their keys. */
  list(namespace = ''): readonly T[] {
    const kept = this.keptIn(namespace)
    return kept.length === 0 ? [] : kept.map(({ object }) => object as T)
  }

  keptIn(namespace = ''): readonly CachedObject[] {
    const known = this.#lists.get(namespace)
    if (known) return known
    const { prefix, objects } = this.#resource
    const found = objects.list(namespace === '' ? prefix : `${prefix}${namespace}/`)
    if (this.#lists.size >= mostLists) this.#forget()
    this.#lists.set(namespace, found)
    return found
  }

  #forget(): void {
    if (this.#lists.size > 0) this.#lists = new Map() // one that is cleared keeps its tables (docs/decisions/014)
  }
}

/** Whoever asks for namespaces that are not there must not fill the memory. */
const mostLists = 4096

/** Where a plugin says which kinds it looks up. */
export class ObjectLookups {
  readonly #resources: ResourceMap
  readonly #store: ObjectStore

  constructor(resources: ResourceMap, store: ObjectStore) {
    this.#resources = resources
    this.#store = store
  }

  of<T = KubeObject>(group: string, version: string, resource: string): ObjectLookup<T> {
    const found = this.#resources.find(group, version, resource)
    if (!found) throw new Error(`${resource} of ${group || 'the core group'} in ${version} are not served`)
    return new ObjectLookup<T>(found, this.#store)
  }
}
