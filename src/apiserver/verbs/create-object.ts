import {
  alreadyExists,
  forbidden,
  generateNameConflict,
  internalError,
  stillBeingDeleted,
  unknown,
} from '../../api/errors.js'
import { qualified } from '../../api/failure.js'
import { asJson, asKubeObject, type KubeObject } from '../../api/kube-object.js'
import { generatedName } from '../../api/metadata/generated-names.js'
import { bornMetadata } from '../../api/metadata/system-fields.js'
import { updateManagedFields } from '../../schema/apply/update.js'
import type { Draft } from '../../schema/infer.js'
import { admissionRequest } from '../admission/request.js'
import { authorizationAttributes } from '../authorization/attributes.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { Companion } from '../registry/resource-hooks.js'
import { type EncodedObject, EncodedOnce } from '../response/response.js'
import { waitForInitialization } from './initialization.js'
import { removeDuplicateOwners, strategyWarnings, validNewObject } from './kind-strategy.js'
import { strategyContext, type VerbScope } from './verb-scope.js'
import { tryWrite } from './write-attempt.js'
import type { WriteRequestOptions } from './write-options.js'

/** How many names are generated before the request fails. */
const nameAttempts = 8

/**
 * Stores a new object, which is decoded, has its defaults and the version of the request, and to which nothing else refers. All steps
 * between the body and the store are here, in the same order for every kind.
 */
export async function createObject(
  scope: VerbScope,
  given: Draft<KubeObject>,
  options: WriteRequestOptions,
): Promise<EncodedObject> {
  if (given.metadata.resourceVersion) throw unknown('resourceVersion should not be set on objects to be created')
  removeDuplicateOwners(given, (message) => scope.context.warnings.add(message))
  const owned = updateManagedFields(scope.resource.target(''), {
    next: asJson(given),
    manager: options.manager,
    time: scope.timestamps.now(),
  })
  return storeNewObject(scope, asKubeObject(owned), options)
}

/** The same for an object whose managed fields are set, by an apply. */
export async function storeNewObject(
  scope: VerbScope,
  owned: KubeObject,
  options: WriteRequestOptions,
): Promise<EncodedObject> {
  const { resource, admission } = scope
  const draft = resource.toStored(owned) as Draft<KubeObject>
  const { dryRun } = options
  const request = admissionRequest(scope, { operation: 'CREATE', object: draft, options, dryRun })
  await admission.mutate(request)
  const generatesName = !draft.metadata.name && draft.metadata.generateName
  for (let tries = 1; ; tries++) {
    const named: Draft<KubeObject> = { ...draft, metadata: systemMetadata(scope, draft) }
    const object = validNewObject(resource, named, strategyContext(scope))
    await checkMayCreate(scope)
    const companions: Companion[] = []
    await admission.validate({
      ...request,
      object: object as Draft<KubeObject>,
      name: object.metadata.name ?? '',
      alsoWrite: (companion) => void companions.push(companion),
    })
    for (const warning of strategyWarnings(resource.stored, object, undefined)) scope.context.warnings.add(warning)
    const stored = await put(scope, object, companions, options)
    if (stored) addNotice(scope)
    if (stored) return waitForInitialization(scope, { object, stored }, options)
    if (!generatesName) throw nameTaken(scope, object.metadata.name ?? '')
    if (tries === nameAttempts) throw generateNameConflict(resource.groupResource, object.metadata.name ?? '', 1)
  }
}

/** Warns the client if nothing in this cluster handles the resource yet. */
function addNotice({ notices, resource, context }: VerbScope): void {
  if (notices.size === 0) return
  const notice = notices.get(qualified(resource.groupResource))
  if (notice !== undefined) context.warnings.add(notice)
}

/** An update or patch may create the object: then the client must also be allowed to create it. */
async function checkMayCreate({ context, authorize, resource, name }: VerbScope): Promise<void> {
  const attributes = authorizationAttributes(context)
  if (attributes.verb === 'create') return
  const { decision, reason, error } = await authorize({ ...attributes, verb: 'create' })
  if (decision !== 'allow' && error !== undefined) throw internalError(error)
  if (decision !== 'allow') throw forbidden(resource.groupResource, name, reason)
}

function systemMetadata(scope: VerbScope, { metadata }: Draft<KubeObject>): Draft<KubeObject>['metadata'] {
  const { random } = scope.environment
  const { name, generateName } = metadata
  const named = !name && generateName ? { ...metadata, name: generatedName(generateName, random) } : metadata
  return bornMetadata(named, random.uuid(), scope.timestamps.now()) as Draft<KubeObject>['metadata']
}

/** Returns undefined if the name is taken. A dry run only checks that. */
async function put(
  scope: VerbScope,
  object: KubeObject,
  companions: readonly Companion[],
  { dryRun }: WriteRequestOptions,
): Promise<EncodedObject | undefined> {
  const { resource, store } = scope
  const key = resource.key(object.metadata.namespace ?? '', object.metadata.name ?? '')
  const { ttlSeconds } = resource.hooks
  for (;;) {
    const draft = { ...object } as Draft<KubeObject>
    const change = () => ({
      key,
      expected: 0,
      object: draft as KubeObject,
      ...(ttlSeconds !== undefined && { ttlSeconds }),
    })
    const attempt = await tryWrite(scope, { write: { draft, old: undefined, dryRun }, companions, change })
    if (attempt.written) return resource.served(attempt.written)
    await store.waitUntilCurrent()
    if (resource.allObjects.get(key)) return undefined
    if (dryRun) return new EncodedOnce(resource.fromStored(draft as KubeObject))
    if (attempt.companions === 0) return undefined
  }
}

function nameTaken({ resource, namespace }: VerbScope, name: string): Error {
  const cached: CachedObject | undefined = resource.allObjects.get(resource.key(namespace, name))
  return cached?.object.metadata.deletionTimestamp
    ? stillBeingDeleted(resource.groupResource, name)
    : alreadyExists(resource.groupResource, name)
}
