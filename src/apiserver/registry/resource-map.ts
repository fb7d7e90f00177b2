import type { KubeObject } from '../../api/kube-object.js'
import { isInitialized } from '../../api/metadata/initializers.js'
import { type ApplyTarget, type ApplyTargetOptions, applyTarget } from '../../schema/apply/target.js'
import { canonicalObject } from '../../schema/encode.js'
import type { ObjectType } from '../../schema/model.js'
import type { Scheme, ServedKind } from '../../schema/scheme.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectCollection, ObjectStore } from '../cache/object-store.js'
import { type Visibility, VisibleCollection } from '../cache/visible-collection.js'
import { type EncodedObject, EncodedOnce } from '../response/response.js'
import { trackedVersions } from './managed-versions.js'
import type { ResourceHooks } from './resource-hooks.js'
import type { ServedResource } from './served-resource.js'

/** Storage prefixes that differ from the name of the resource, as upstream has them. */
const prefixes: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  ingresses: 'ingress',
  customresourcedefinitions: 'apiextensions.k8s.io/customresourcedefinitions',
  apiservices: 'apiregistration.k8s.io/apiservices',
}

const rootPrefix = '/registry/'

/** The prefix of all keys of a kind: `/registry/pods/`. */
export function storagePrefix({ kind, strategy }: ServedKind, scheme: Scheme): string {
  const stored = strategy.stored ? (scheme.type(strategy.stored.type) as ServedKind).kind : kind
  const storedPlural = stored.resource?.plural ?? kind.resource.plural
  return `${rootPrefix}${prefixes[storedPlural] ?? storedPlural}/`
}

/** Every resource that is served, by group, version and name. */
export class ResourceMap {
  readonly #resources = new Map<string, Resource>()

  constructor(scheme: Scheme, store: ObjectStore, hooks: Readonly<Record<string, ResourceHooks>>) {
    const visible = visibleObjects(scheme, store)
    for (const type of scheme.resources) {
      const { group, version, resource } = type.kind
      const dependencies = { type, scheme, store, hooks, visible }
      this.#resources.set(`${group}/${version}/${resource.plural}`, new Resource(dependencies))
    }
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#resources.get(`${group}/${version}/${resource}`)
  }

  *[Symbol.iterator](): IterableIterator<ServedResource> {
    yield* this.#resources.values()
  }
}

/** Returns the visible objects below a prefix. Objects that are not initialized are hidden, if the feature is enabled. */
type VisibleObjects = (prefix: string) => ObjectCollection

const initialized: Visibility = { isVisible: isInitialized, marker: '"initializers"' }

function visibleObjects({ gates }: Scheme, store: ObjectStore): VisibleObjects {
  if (!gates.has('Initializers')) return (prefix) => store.collection(prefix)
  const views = new Map<string, ObjectCollection>()
  return (prefix) => {
    const view = views.get(prefix) ?? new VisibleCollection(store.collection(prefix), prefix, initialized)
    views.set(prefix, view)
    return view
  }
}

interface ResourceDependencies {
  readonly type: ServedKind
  readonly scheme: Scheme
  readonly store: ObjectStore
  readonly hooks: Readonly<Record<string, ResourceHooks>>
  readonly visible: VisibleObjects
}

class Resource implements ServedResource {
  readonly type: ServedKind
  readonly stored: ServedKind
  readonly groupResource: ServedResource['groupResource']
  readonly prefix: string
  readonly objects: ObjectCollection
  readonly allObjects: ObjectCollection
  readonly hooks: ResourceHooks
  readonly isView = false
  readonly #scheme: Scheme
  readonly #targets = new Map<string, ApplyTarget>()
  readonly #served = new WeakMap<CachedObject, EncodedObject>()

  constructor({ type, scheme, store, hooks, visible }: ResourceDependencies) {
    const { stored } = type.strategy
    this.type = type
    this.stored = stored ? (scheme.type(stored.type) as ServedKind) : type
    const { plural } = type.kind.resource
    this.groupResource = { group: type.kind.group, resource: plural }
    const storedPlural = this.stored.kind.resource?.plural ?? plural
    this.prefix = storagePrefix(type, scheme)
    this.objects = visible(this.prefix)
    this.allObjects = store.collection(this.prefix)
    this.hooks = hooks[storedPlural] ?? {}
    this.#scheme = scheme
  }

  key(namespace: string, name: string): string {
    return this.type.kind.resource.namespaced ? `${this.prefix}${namespace}/${name}` : `${this.prefix}${name}`
  }

  target(subresource: string): ApplyTarget {
    let target = this.#targets.get(subresource)
    if (!target) {
      const options: ApplyTargetOptions = { subresource, versions: trackedVersions(this, this.#scheme, subresource) }
      target = applyTarget(this.type, options)
      this.#targets.set(subresource, target)
    }
    return target
  }

  served(cached: CachedObject): EncodedObject {
    if (this.stored === this.type) return cached
    let served = this.#served.get(cached)
    if (!served) {
      served = new EncodedOnce(this.fromStored(cached.object), { type: this.stored, object: cached.object })
      this.#served.set(cached, served)
    }
    return served
  }

  live(cached: CachedObject): KubeObject {
    return this.served(cached).object
  }

  toStored(object: KubeObject): KubeObject {
    const { stored } = this.type.strategy
    return stored ? converted(this.stored, stored.toStored(object as never)) : object
  }

  fromStored(object: KubeObject): KubeObject {
    const { stored } = this.type.strategy
    return stored ? converted(this.type, stored.fromStored(object as never)) : object
  }
}

function converted(type: ObjectType, object: object): KubeObject {
  const { apiVersion, kind } = type.kind!
  return canonicalObject(type, { ...object, apiVersion, kind }) as KubeObject
}
