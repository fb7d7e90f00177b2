import type { KubeObject } from '../../api/kube-object.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { ServedResource } from '../registry/served-resource.js'

/** Upper bound of cached lists, so that requests for namespaces that do not exist cannot fill the memory. */
const maxLists = 4096

/** Gives plugins the objects of one kind, from memory, in the version in which they are stored. */
export class ObjectLookup<T> {
  readonly #resource: ServedResource
  readonly #store: ObjectStore
  /** By namespace, until an object changes: plugins list limits, quotas and classes far more often than these change. */
  #lists = new Map<string, readonly CachedObject[]>()

  constructor(resource: ServedResource, store: ObjectStore) {
    this.#resource = resource
    this.#store = store
    const clear = () => this.#clear()
    resource.objects.follow({ changed: clear, reset: clear })
  }

  /** Returns the object from the watch cache, which may lag behind the store. */
  get(name: string, namespace = ''): T | undefined {
    return this.kept(name, namespace)?.object as T | undefined
  }

  kept(name: string, namespace = ''): CachedObject | undefined {
    return this.#resource.objects.get(this.#resource.key(namespace, name))
  }

  /** Like `get`, but waits for every acknowledged write before it returns undefined. */
  async find(name: string, namespace = ''): Promise<T | undefined> {
    const known = this.get(name, namespace)
    if (known) return known
    await this.#store.waitUntilCurrent()
    return this.get(name, namespace)
  }

  /** Returns all objects, or those of a namespace, in the order of their keys. */
  list(namespace = ''): readonly T[] {
    const kept = this.keptIn(namespace)
    return kept.length === 0 ? [] : kept.map(({ object }) => object as T)
  }

  keptIn(namespace = ''): readonly CachedObject[] {
    const known = this.#lists.get(namespace)
    if (known) return known
    const { prefix, objects } = this.#resource
    const found = objects.list(namespace === '' ? prefix : `${prefix}${namespace}/`)
    if (this.#lists.size >= maxLists) this.#clear()
    this.#lists.set(namespace, found)
    return found
  }

  #clear(): void {
    if (this.#lists.size > 0) this.#lists = new Map() // a cleared map keeps its tables (docs/decisions/014)
  }
}

/** Creates the lookups of plugins, one for each kind that a plugin reads. */
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
