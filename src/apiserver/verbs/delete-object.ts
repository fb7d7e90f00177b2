import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { DeleteOptions } from '../../api/meta/v1/delete-options.js'
import { canonical } from '../../schema/encode.js'
import { admissionRequest } from '../admission/request.js'
import { type Encoded, EncodedOnce } from '../answer.js'
import type { KeptObject } from '../cache/kept-object.js'
import type { ObjectChange } from '../cache/object-store.js'
import { checkPreconditions } from './delete-options.js'
import { type Deletion, decideDeletion } from './deletion.js'
import type { VerbScope } from './verb-scope.js'

export interface Deleted {
  /** As it was when it went, or as it now waits to go. */
  readonly object: Encoded
  readonly gone: boolean
}

/** Deletes the object that a scope names, or begins to. */
export async function deleteObject(scope: VerbScope, options: DeleteOptions): Promise<Deleted> {
  const { resource, store, namespace, name } = scope
  const key = resource.key(namespace, name)
  for (;;) {
    await store.current()
    const kept = resource.everything.get(key)
    if (!kept) throw notFound(resource.groupResource, name)
    checkPreconditions(resource.stored, kept.object, options)
    await admit(scope, kept, options)
    const decision = decideDeletion(resource.stored, kept.object, options, scope.environment.clock.now())
    const deleted = await carryOut(scope, kept, decision, options)
    if (deleted) return deleted
  }
}

async function admit(scope: VerbScope, { object: old }: KeptObject, options: DeleteOptions): Promise<void> {
  const dryRun = isDryRun(options)
  await scope.admission.admit(admissionRequest(scope, { operation: 'DELETE', old, options, dryRun }))
}

function isDryRun({ dryRun = [] }: DeleteOptions): boolean {
  return dryRun.length > 0
}

/** Undefined if somebody else was faster. */
async function carryOut(
  scope: VerbScope,
  kept: KeptObject,
  decision: Deletion,
  options: DeleteOptions,
): Promise<Deleted | undefined> {
  const { resource } = scope
  if (isDryRun(options)) return foreseen(scope, kept, decision)
  switch (decision.does) {
    case 'nothing':
      return { object: resource.served(kept), gone: false }
    case 'remove':
      return remove(scope, kept)
    case 'mark': {
      const marked = await mark(scope, kept, decision.marked)
      return marked && { object: resource.served(marked), gone: false }
    }
    default: {
      const marked = await mark(scope, kept, decision.marked)
      return marked && remove(scope, marked)
    }
  }
}

/** What a deletion would come to. */
function foreseen({ resource }: VerbScope, kept: KeptObject, decision: Deletion): Deleted {
  const gone = decision.does === 'remove' || decision.does === 'mark and remove'
  const object = 'marked' in decision ? new EncodedOnce(resource.fromStored(decision.marked)) : resource.served(kept)
  return { object, gone }
}

async function mark(
  { resource, store }: VerbScope,
  { key, revision }: KeptObject,
  marked: KubeObject,
): Promise<KeptObject | undefined> {
  const { resourceVersion, ...metadata } = marked.metadata
  const object = canonical(resource.stored, { ...marked, metadata }) as KubeObject
  const written = await store.write([{ key, expected: revision, object }])
  return written?.[0]
}

/** Takes an object away as it is, whoever may hold it. Undefined if somebody else was faster. */
export async function remove(
  { resource, store }: Pick<VerbScope, 'resource' | 'store'>,
  kept: KeptObject,
): Promise<Deleted | undefined> {
  const companions = (await resource.hooks.companions?.({ draft: undefined, old: kept, dryRun: false })) ?? []
  const change: ObjectChange = { key: kept.key, expected: kept.revision, object: undefined }
  const written = await store.write([change, ...companions])
  return written && { object: resource.served(written[0]!), gone: true }
}
