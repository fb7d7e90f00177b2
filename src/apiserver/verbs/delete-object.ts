import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { DeleteOptions } from '../../api/meta/v1/delete-options.js'
import { canonical } from '../../schema/encode.js'
import { admissionRequest } from '../admission/request.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectChange } from '../cache/object-store.js'
import { type EncodedObject, EncodedOnce } from '../response/response.js'
import { checkPreconditions } from './delete-options.js'
import { type DeletionDecision, decideDeletion } from './deletion.js'
import type { VerbScope } from './verb-scope.js'

export interface DeletionResult {
  /** As it was when it went, or as it now waits to go. */
  readonly object: EncodedObject
  readonly gone: boolean
}

/** Deletes the object that a scope names, or begins to. */
export async function deleteObject(scope: VerbScope, options: DeleteOptions): Promise<DeletionResult> {
  const { resource, store, namespace, name } = scope
  const key = resource.key(namespace, name)
  for (;;) {
    await store.waitUntilCurrent()
    const cached = resource.allObjects.get(key)
    if (!cached) throw notFound(resource.groupResource, name)
    checkPreconditions(resource.stored, cached.object, options)
    await admit(scope, cached, options)
    const decision = decideDeletion(resource.stored, cached.object, options, scope.environment.clock.now())
    const deleted = await carryOut(scope, cached, decision, options)
    if (deleted) return deleted
  }
}

async function admit(scope: VerbScope, { object: old }: CachedObject, options: DeleteOptions): Promise<void> {
  const dryRun = isDryRun(options)
  await scope.admission.admit(admissionRequest(scope, { operation: 'DELETE', old, options, dryRun }))
}

function isDryRun({ dryRun = [] }: DeleteOptions): boolean {
  return dryRun.length > 0
}

/** Undefined if somebody else was faster. */
async function carryOut(
  scope: VerbScope,
  cached: CachedObject,
  decision: DeletionDecision,
  options: DeleteOptions,
): Promise<DeletionResult | undefined> {
  const { resource } = scope
  if (isDryRun(options)) return foreseen(scope, cached, decision)
  switch (decision.does) {
    case 'nothing':
      return { object: resource.served(cached), gone: false }
    case 'remove':
      return removeObject(scope, cached)
    case 'mark': {
      const marked = await mark(scope, cached, decision.marked)
      return marked && { object: resource.served(marked), gone: false }
    }
    default: {
      const marked = await mark(scope, cached, decision.marked)
      return marked && removeObject(scope, marked)
    }
  }
}

/** What a deletion would come to. */
function foreseen({ resource }: VerbScope, cached: CachedObject, decision: DeletionDecision): DeletionResult {
  const gone = decision.does === 'remove' || decision.does === 'mark and remove'
  const object = 'marked' in decision ? new EncodedOnce(resource.fromStored(decision.marked)) : resource.served(cached)
  return { object, gone }
}

async function mark(
  { resource, store }: VerbScope,
  { key, revision }: CachedObject,
  marked: KubeObject,
): Promise<CachedObject | undefined> {
  const { resourceVersion, ...metadata } = marked.metadata
  const object = canonical(resource.stored, { ...marked, metadata }) as KubeObject
  const written = await store.write([{ key, expected: revision, object }])
  return written?.[0]
}

/** Takes an object away as it is, whoever may hold it. Undefined if somebody else was faster. */
export async function removeObject(
  { resource, store }: Pick<VerbScope, 'resource' | 'store'>,
  cached: CachedObject,
): Promise<DeletionResult | undefined> {
  const companions = (await resource.hooks.companions?.({ draft: undefined, old: cached, dryRun: false })) ?? []
  const change: ObjectChange = { key: cached.key, expected: cached.revision, object: undefined }
  const written = await store.write([change, ...companions])
  return written && { object: resource.served(written[0]!), gone: true }
}
