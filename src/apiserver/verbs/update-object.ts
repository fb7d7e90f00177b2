import { conflict, invalid, notFound, objectModified, unknown } from '../../api/errors.js'
import { asJson, asKubeObject, type KubeObject } from '../../api/kube-object.js'
import { initializationFailure } from '../../api/metadata/initializers.js'
import { carriedMetadata } from '../../api/metadata/system-fields.js'
import { withoutTimeChanges } from '../../schema/apply/managed-fields/entries.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import type { Draft } from '../../schema/infer.js'
import { sameJson } from '../../schema/json-value.js'
import { quote } from '../../schema/quote.js'
import { admissionRequest } from '../admission/request.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectChange } from '../cache/object-store.js'
import type { Companion } from '../registry/resource-hooks.js'
import { type EncodedObject, EncodedOnce } from '../response/response.js'
import { isDeletionComplete } from './deletion.js'
import { keepInitializers, removeFailed } from './initialization.js'
import { removeDuplicateOwners, strategyWarnings, validUpdatedObject } from './kind-strategy.js'
import { strategyContext, type VerbScope } from './verb-scope.js'
import { tryWrite } from './write-attempt.js'
import type { WriteRequestOptions } from './write-options.js'

/** An update of an object. */
export interface ObjectUpdate {
  readonly options: WriteRequestOptions
  /**
   * Returns the new object, in the version of the request and with its managed fields, from the current one. Called again if another write
   * interferes.
   */
  readonly next: (live: KubeObject) => KubeObject | Promise<KubeObject>
  /** Creates the object if it does not exist. Without it the update fails. */
  readonly create?: (() => Promise<EncodedObject>) | undefined
  /** The uid that the object must have. */
  readonly uid?: string | undefined
}

export interface UpdateResult {
  readonly object: EncodedObject
  readonly created: boolean
}

/** Replaces an object, and repeats this until no other write interferes. All steps between the new object and the store are here. */
export async function updateObject(scope: VerbScope, update: ObjectUpdate): Promise<UpdateResult> {
  const { resource, store, namespace, name } = scope
  const key = resource.key(namespace, name)
  for (;;) {
    const waiting = store.waitUntilCurrent()
    if (waiting) await waiting
    const cached = resource.allObjects.get(key)
    if (!cached) {
      if (!update.create) throw notFound(resource.groupResource, name)
      checkUid(scope, { key, uid: '' }, update.uid)
      return { object: await update.create(), created: true }
    }
    const object = await replaceOnce(scope, cached, update)
    if (object) return { object, created: false }
  }
}

/** Returns undefined if the object has changed meanwhile. */
async function replaceOnce(
  scope: VerbScope,
  cached: CachedObject,
  update: ObjectUpdate,
): Promise<EncodedObject | undefined> {
  const { resource } = scope
  checkUid(scope, objectIdentity(cached), update.uid)
  const given = await update.next(resource.live(cached))
  const draft = detached(resource.toStored(given, cached))
  if (scope.subresource !== '') keepInitializers(draft, cached.object)
  removeDuplicateOwners(draft, (message) => scope.context.warnings.add(message))
  const { options } = update
  const about = { operation: 'UPDATE', object: draft, old: cached.object, options, dryRun: options.dryRun } as const
  const request = admissionRequest(scope, about)
  await scope.admission.mutate(request)
  const object = validReplacement(scope, draft, cached)
  const companions: Companion[] = []
  const alsoWrite = (companion: Companion) => void companions.push(companion)
  await scope.admission.validate({ ...request, object: object as Draft<KubeObject>, alsoWrite })
  for (const warning of strategyWarnings(resource.stored, object, cached.object, scope.subresource))
    scope.context.warnings.add(warning)
  return put(scope, object, { cached, companions, dryRun: options.dryRun })
}

/** Copies what the following steps modify in place: the object and its metadata. Plugins modify only what they have created. */
function detached(object: KubeObject): Draft<KubeObject> {
  return { ...object, metadata: { ...object.metadata } } as Draft<KubeObject>
}

function validReplacement(scope: VerbScope, draft: Draft<KubeObject>, cached: CachedObject): KubeObject {
  const { resource } = scope
  const version = checkVersion(scope, draft, cached)
  const metadata = { ...carriedMetadata(draft.metadata, cached.object.metadata), resourceVersion: version }
  const carried = { ...draft, metadata } as Draft<KubeObject>
  const subresource = resource.isView ? '' : scope.subresource
  const { time, allowPrivileged, user } = strategyContext(scope)
  return validUpdatedObject(resource, carried, cached.object, { time, allowPrivileged, user, subresource })
}

interface Identity {
  readonly key: string
  /** Empty if the object does not exist. */
  readonly uid: string
}

export function objectIdentity({ key, object }: CachedObject): Identity {
  return { key, uid: object.metadata.uid ?? '' }
}

/** Rejects a write for another uid: it must neither change another object nor create a deleted one again. */
export function checkUid(
  { resource, name }: Pick<VerbScope, 'resource' | 'name'>,
  { key, uid }: Identity,
  expected: string | undefined,
): void {
  if (!expected || expected === uid) return
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${expected}, UID in object meta: ${uid}`
  throw conflict(resource.groupResource, name, why)
}

/** Rejects a write that is based on another version than the current one. */
function checkVersion({ resource, name }: VerbScope, { metadata }: Draft<KubeObject>, cached: CachedObject): string {
  const { resourceVersion = '' } = metadata
  const current = String(cached.revision)
  if (resourceVersion === current) return current
  if (resourceVersion !== '' && resourceVersion !== '0') {
    if (!/^[0-9]+$/.test(resourceVersion))
      throw unknown(`strconv.ParseUint: parsing ${quote(resourceVersion)}: invalid syntax`)
    throw objectModified(resource.groupResource, name)
  }
  if (resource.stored.strategy.updatedUnconditionally === false) {
    const { group, kind } = resource.stored.kind
    const path = fieldPath('metadata').child('resourceVersion')
    throw invalid({ group, kind }, name, [field.invalid(path, '', 'must be specified for an update')])
  }
  return current
}

interface Replacement {
  readonly cached: CachedObject
  readonly companions: readonly Companion[]
  readonly dryRun: boolean
}

async function put(
  scope: VerbScope,
  object: KubeObject,
  { cached, companions, dryRun }: Replacement,
): Promise<EncodedObject | undefined> {
  const { resource } = scope
  const next = asKubeObject(withoutTimeChanges(asJson(object), asJson(cached.object)))
  const isRemoved = isDeletionComplete(resource.stored, next)
  if (!isRemoved && sameJson(asJson(next), asJson(cached.object))) return resource.served(cached)
  const draft = { ...next } as Draft<KubeObject>
  const pending = { draft: isRemoved ? undefined : draft, old: cached, dryRun }
  const change = () => mainChange(isRemoved ? undefined : (draft as KubeObject), cached)
  const { written } = await tryWrite(scope, { write: pending, companions, change })
  if (dryRun) return new EncodedOnce(resource.fromStored(draft as KubeObject))
  if (!written) return undefined
  if (!isRemoved && initializationFailure(next)) await removeFailed(scope, written)
  return isRemoved ? lastState(scope, next, cached) : resource.served(written)
}

/** The response for an object that this write removes: what the client wrote, at the version that it replaced. */
function lastState({ resource }: VerbScope, object: KubeObject, cached: CachedObject): EncodedObject {
  const metadata = { ...object.metadata, resourceVersion: String(cached.revision) }
  return new EncodedOnce(resource.fromStored({ ...object, metadata }))
}

function mainChange(object: KubeObject | undefined, { key, revision }: CachedObject): ObjectChange {
  return { key, expected: revision, object: object && withoutVersion(object) }
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata
  return { ...object, metadata }
}
