import { invalid } from '../../api/errors.js'
import { asJson, type KubeObject, type UntypedObject } from '../../api/kube-object.js'
import type { LabelSelector as LabelSelectorObject } from '../../api/meta/v1/label-selector.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import { namePath as applyPath } from '../../schema/apply/field-set/field-set.js'
import { managedFieldsOf } from '../../schema/apply/managed-fields/entries.js'
import { parentManagedFields, type ScaleMapping, scaleManagedFields } from '../../schema/apply/scale.js'
import { type ApplyTarget, applyTarget } from '../../schema/apply/target.js'
import { canonicalObject } from '../../schema/encode.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import type { ObjectType } from '../../schema/model.js'
import type { Scheme, ServedKind } from '../../schema/scheme.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { VerbHandlers } from '../request/routing.js'
import { type EncodedObject, EncodedOnce } from '../response/response.js'
import { get } from '../verbs/get.js'
import { patch } from '../verbs/patch.js'
import { update } from '../verbs/update.js'
import type { VerbScope } from '../verbs/verb-scope.js'
import type { ServedResource } from './served-resource.js'

/** The `scale` subresource: a view of any object with replicas. The generic verbs read and write it like an object. */
export const scaleHandlers: VerbHandlers = {
  get: (scope) => get(scaled(scope)),
  update: (scope) => update(scaled(scope)),
  patch: (scope) => patch(scaled(scope)),
}

const views = new WeakMap<ServedResource, ScaleView>()

function scaled(scope: VerbScope): VerbScope {
  let view = views.get(scope.resource)
  if (!view) {
    view = new ScaleView(scope.resource, scope.scheme)
    views.set(scope.resource, view)
  }
  return { ...scope, resource: view }
}

/** The fields of an object with replicas that its scale shows. */
interface Scalable extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly selector?: unknown }
  readonly status?: { readonly replicas?: number }
}

class ScaleView implements ServedResource {
  readonly type: ServedKind
  readonly isView = true
  readonly #parent: ServedResource
  readonly #target: ApplyTarget
  readonly #mapping: ScaleMapping

  constructor(parent: ServedResource, scheme: Scheme) {
    this.#parent = parent
    this.type = servedAs(scheme.type('autoscaling/v1.Scale'), parent.type)
    this.#target = applyTarget(scheme.type('autoscaling/v1.Scale'), { subresource: 'scale' })
    const { apiVersion } = parent.type.kind
    this.#mapping = { apiVersion, replicas: new Map([[apiVersion, applyPath('spec', 'replicas')]]) }
  }

  get stored() {
    return this.#parent.stored
  }
  get groupResource() {
    return this.#parent.groupResource
  }
  get objects() {
    return this.#parent.objects
  }
  get allObjects() {
    return this.#parent.allObjects
  }
  get prefix() {
    return this.#parent.prefix
  }
  get hooks() {
    return this.#parent.hooks
  }

  key(namespace: string, name: string): string {
    return this.#parent.key(namespace, name)
  }

  target(): ApplyTarget {
    return this.#target
  }

  served(cached: CachedObject): EncodedObject {
    return new EncodedOnce(this.fromStored(cached.object))
  }

  live(cached: CachedObject): KubeObject {
    const scale = this.fromStored(cached.object)
    const managedFields = scaleManagedFields(managedFieldsOf(asJson(cached.object)) ?? [], this.#mapping)
    return managedFields ? { ...scale, metadata: { ...scale.metadata, managedFields: managedFields as never } } : scale
  }

  fromStored(object: KubeObject): KubeObject {
    const { metadata, spec, status } = this.#parent.fromStored(object) as Scalable
    const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata
    const selector = selectorText(spec.selector)
    const scale: UntypedObject = {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: spec.replicas ?? 0 },
      status: { replicas: status?.replicas ?? 0, selector },
    }
    return canonicalObject(this.type, scale)
  }

  toStored(scale: KubeObject, replaced?: CachedObject): KubeObject {
    const { metadata, spec } = scale as Scalable
    const { replicas = 0 } = spec
    checkScale(metadata.name ?? '', replicas)
    const parent = replaced!.object as Scalable
    const { resourceVersion } = metadata
    const scaled: Scalable = {
      ...parent,
      metadata: { ...parent.metadata, resourceVersion: resourceVersion ?? '', ...this.#managedFields(parent, scale) },
      spec: { ...parent.spec, replicas },
    }
    return scaled
  }

  #managedFields(parent: KubeObject, scale: KubeObject): object {
    const ofParent = managedFieldsOf(asJson(parent)) ?? []
    const managedFields = parentManagedFields(ofParent, managedFieldsOf(asJson(scale)) ?? [], this.#mapping)
    return { managedFields }
  }
}

/** The kind of the view, as a resource of its parent. */
function servedAs(
  { name, fields, field: byName, atomic, unions, fastDecoding, strategy, kind }: ObjectType,
  parent: ServedKind,
): ServedKind {
  const { resource } = parent.kind
  return { name, fields, field: byName, atomic, unions, fastDecoding, strategy, kind: { ...kind!, resource } }
}

function checkScale(name: string, replicas: number): void {
  if (replicas >= 0) return
  const path = fieldPath('spec').child('replicas')
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
    field.invalid(path, replicas, 'must be greater than or equal to 0'),
  ])
}

/** Formats a selector. Most kinds have a selector object; replication controllers have plain labels. */
function selectorText(selector: unknown): string {
  if (!selector || typeof selector !== 'object') return ''
  const isObject = 'matchLabels' in selector || 'matchExpressions' in selector
  const of = isObject ? (selector as LabelSelectorObject) : { matchLabels: selector as Record<string, string> }
  return LabelSelector.from(of).toString()
}
