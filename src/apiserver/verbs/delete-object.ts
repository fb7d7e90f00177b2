import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { DeleteOptions } from '../../api/meta/v1/delete-options.js'
import { canonicalObject } from '../../schema/encode.js'
import { admissionRequest } from '../admission/request.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectChange } from '../cache/object-store.js'
import { type EncodedObject, EncodedOnce } from '../response/response.js'
import { checkPreconditions } from './delete-options.js'
import { type DeletionDecision, decideDeletion } from './deletion.js'
import type { VerbScope } from './verb-scope.js'

export interface DeletionResult {
  /** The object as it was when it was removed, or as it is now while it waits for its removal. */
  readonly object: EncodedObject
  readonly removed: boolean
}

/** Deletes the object that a scope names, or marks it for deletion. Repeats this when another write interferes. */
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
    const deleted = await execute(scope, cached, decision, options)
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

/** Returns undefined if the object has changed meanwhile. */
async function execute(
  scope: VerbScope,
  cached: CachedObject,
  decision: DeletionDecision,
  options: DeleteOptions,
): Promise<DeletionResult | undefined> {
  const { resource } = scope
  if (isDryRun(options)) return predictedResult(scope, cached, decision)
  switch (decision.action) {
    case 'nothing':
      return { object: resource.served(cached), removed: false }
    case 'remove':
      return removeObject(scope, cached)
    case 'mark': {
      const marked = await mark(scope, cached, decision.marked)
      return marked && { object: resource.served(marked), removed: false }
    }
    default: {
      const marked = await mark(scope, cached, decision.marked)
      return marked && removeObject(scope, marked)
    }
  }
}

/** The result that a deletion would have. */
function predictedResult({ resource }: VerbScope, cached: CachedObject, decision: DeletionDecision): DeletionResult {
  const removed = decision.action === 'remove' || decision.action === 'mark and remove'
  const object = 'marked' in decision ? new EncodedOnce(resource.fromStored(decision.marked)) : resource.served(cached)
  return { object, removed }
}

async function mark(
  { resource, store }: VerbScope,
  { key, revision }: CachedObject,
  marked: KubeObject,
): Promise<CachedObject | undefined> {
  const { resourceVersion, ...metadata } = marked.metadata
  const object = canonicalObject(resource.stored, { ...marked, metadata }) as KubeObject
  const written = await store.write([{ key, expected: revision, object }])
  return written?.[0]
}

/** Removes an object at once, whatever its finalizers. Returns undefined if it has changed meanwhile. */
export async function removeObject(
  { resource, store }: Pick<VerbScope, 'resource' | 'store'>,
  cached: CachedObject,
): Promise<DeletionResult | undefined> {
  const companions = (await resource.hooks.companions?.({ draft: undefined, old: cached, dryRun: false })) ?? []
  const change: ObjectChange = { key: cached.key, expected: cached.revision, object: undefined }
  const written = await store.write([change, ...companions])
  return written && { object: resource.served(written[0]!), removed: true }
}
