import { badRequest } from '../../../api/errors.js'
import { asJson, asKubeObject, type KubeObject, type UntypedObject } from '../../../api/kube-object.js'
import {
  ManagedFieldsError,
  managedFieldsOf,
  readManagers,
  withManagedFields,
} from '../../../schema/apply/managed-fields/entries.js'
import type { JsonObject } from '../../../schema/declaration.js'
import { canonicalObject } from '../../../schema/encode.js'
import type { Draft } from '../../../schema/infer.js'
import { sameJson } from '../../../schema/json-value.js'
import type { ObjectType } from '../../../schema/model.js'
import type { Scheme } from '../../../schema/scheme.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { AdmissionRequest } from '../admission.js'
import type { MatchedObjects } from './match.js'
import type { WebhookSubject } from './subject.js'

/** Returns the type of the object that a webhook gets; undefined if it is not declared, such as the options of a connection. */
export function shownType(subject: WebhookSubject, served: ServedResource, scheme: Scheme): ObjectType | undefined {
  if (!subject.isSubmission) return served.type
  const { apiVersion, kind } = subject.request.object!
  return scheme.kind(apiVersion, kind)
}

/** Returns a copy of an object in the version that a webhook sees. */
export function shown(
  subject: WebhookSubject,
  served: ServedResource,
  scheme: Scheme,
  object: KubeObject | undefined,
): JsonObject | undefined {
  if (!object) return undefined
  const type = shownType(subject, served, scheme)
  if (!type) {
    const { metadata: _none, ...options } = object
    return asJson(options)
  }
  return asJson(canonicalObject(type, subject.isSubmission ? object : served.fromStored(object)))
}

/** The object of a request while webhooks change it, each in its own version. */
export class ChangingObject {
  readonly #subject: WebhookSubject
  readonly #scheme: Scheme
  #shown: { readonly served: ServedResource; readonly object: JsonObject } | undefined
  #isChanged = false

  constructor(subject: WebhookSubject, scheme: Scheme) {
    this.#subject = subject
    this.#scheme = scheme
  }

  get objects(): MatchedObjects {
    const { object, old } = this.#subject.request
    return { object: (this.#shown?.object as KubeObject | undefined) ?? object, old }
  }

  /** Undefined if the request has no object. */
  seenBy(served: ServedResource): JsonObject | undefined {
    if (this.#shown?.served === served) return this.#shown.object
    this.settle()
    const object = shown(this.#subject, served, this.#scheme, this.#subject.request.object as KubeObject | undefined)
    this.#shown = object && { served, object }
    return object
  }

  /** Sets the object as the last webhook has patched it. */
  replace(object: JsonObject): void {
    this.#shown = { served: this.#shown!.served, object }
    this.#isChanged = true
  }

  /** Writes the result back to the request. */
  settle(): void {
    if (!this.#isChanged) return
    this.#isChanged = false
    const { request, isSubmission } = this.#subject
    const { served, object } = this.#shown!
    const next = isSubmission ? object : asJson(storedForm(request, served, asKubeObject(object)))
    overwrite(request.object!, withReadableOwners(request, next))
  }
}

/** Keeps the managed fields of the stored object, which a view such as `scale` does not have. */
function storedForm({ object: draft }: AdmissionRequest, served: ServedResource, object: KubeObject): KubeObject {
  const stored = served.toStored(object, { object: draft } as CachedObject)
  if (!served.isView) return stored
  return asKubeObject(withManagedFields(asJson(stored), managedFieldsOf(asJson(draft!))))
}

/** Restores managed fields that a webhook has made invalid, and warns the client. */
function withReadableOwners({ object: draft, warn }: AdmissionRequest, next: JsonObject): JsonObject {
  const before = managedFieldsOf(asJson(draft!))
  const after = managedFieldsOf(next)
  if (!after || sameJson(after as never, before as never)) return next
  try {
    readManagers(after)
    return next
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error
    warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    )
    return withManagedFields(next, before)
  }
}

function overwrite(draft: Draft<KubeObject>, next: JsonObject): void {
  for (const key of Object.keys(draft)) delete (draft as Draft<UntypedObject>)[key]
  Object.assign(draft, next)
}

/** Rejects a change of the namespace: the client was authorized for one namespace only. */
export function keepInNamespace({ object, namespace, resource }: AdmissionRequest): void {
  if (!object || !resource.type.kind.resource.namespaced || object.metadata.namespace === namespace) return
  if (object.metadata.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  object.metadata.namespace = namespace as never
}
