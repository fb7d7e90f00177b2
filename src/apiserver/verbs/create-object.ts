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
import { strategyContext, timeOf, type VerbScope } from './verb-scope.js'
import { tryWrite } from './write-attempt.js'
import type { WriteRequestOptions } from './write-options.js'

/** How often a name is generated anew before the client is told that none is free. */
const nameAttempts = 8

/**
 * Stores a new object: decoded and with defaults, in the version of the request, held by nobody else. Everything between the body
 * and the store happens here, for every kind in the same order.
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
    time: timeOf(scope),
  })
  return storeNewObject(scope, asKubeObject(owned), options)
}

/** The same for an object whose managed fields are settled: what an apply has made. */
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
  const wantsName = !draft.metadata.name && draft.metadata.generateName
  for (let tries = 1; ; tries++) {
    const named: Draft<KubeObject> = { ...draft, metadata: born(scope, draft) }
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
    if (!wantsName) throw taken(scope, object.metadata.name ?? '')
    if (tries === nameAttempts) throw generateNameConflict(resource.groupResource, object.metadata.name ?? '', 1)
  }
}

/** Whoever creates an object that this cluster does nothing with is told so. */
function addNotice({ notices, resource, context }: VerbScope): void {
  if (notices.size === 0) return
  const notice = notices.get(qualified(resource.groupResource))
  if (notice !== undefined) context.warnings.add(notice)
}

/** A write that finds nothing to change makes something: who may only change must not get to create by that. */
async function checkMayCreate({ context, authorize, resource, name }: VerbScope): Promise<void> {
  const attributes = authorizationAttributes(context)
  if (attributes.verb === 'create') return
  const { decision, reason, error } = await authorize({ ...attributes, verb: 'create' })
  if (decision !== 'allow' && error !== undefined) throw internalError(error)
  if (decision !== 'allow') throw forbidden(resource.groupResource, name, reason)
}

function born(scope: VerbScope, { metadata }: Draft<KubeObject>): Draft<KubeObject>['metadata'] {
  const { random } = scope.environment
  const { name, generateName } = metadata
  const chosen = !name && generateName ? { ...metadata, name: generatedName(generateName, random) } : metadata
  return bornMetadata(chosen, random.uuid(), timeOf(scope)) as Draft<KubeObject>['metadata']
}

/** Undefined if the name is taken. A dry run looks, and leaves it at that. */
async function put(
  scope: VerbScope,
  object: KubeObject,
  companions: readonly Companion[],
  { dryRun }: WriteRequestOptions,
): Promise<EncodedObject | undefined> {
  const { resource, store } = scope
  const key = resource.key(object.metadata.namespace ?? '', object.metadata.name ?? '')
  const { ttlSeconds: seconds } = resource.hooks
  for (;;) {
    const draft = { ...object } as Draft<KubeObject>
    const change = () => ({ key, expected: 0, object: draft as KubeObject, ...(seconds !== undefined && { seconds }) })
    const tried = await tryWrite(scope, { write: { draft, old: undefined, dryRun }, companions, change })
    if (tried.written) return resource.served(tried.written)
    await store.waitUntilCurrent()
    if (resource.allObjects.get(key)) return undefined
    if (dryRun) return new EncodedOnce(resource.fromStored(draft as KubeObject))
    if (tried.companions === 0) return undefined
  }
}

function taken({ resource, namespace }: VerbScope, name: string): Error {
  const cached: CachedObject | undefined = resource.allObjects.get(resource.key(namespace, name))
  return cached?.object.metadata.deletionTimestamp
    ? stillBeingDeleted(resource.groupResource, name)
    : alreadyExists(resource.groupResource, name)
}
