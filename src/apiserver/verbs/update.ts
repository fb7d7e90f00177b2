import { badRequest } from '../../api/errors.js'
import { asJson, asKubeObject, type KubeObject } from '../../api/kube-object.js'
import { updateManagedFields } from '../../schema/apply/update.js'
import type { Draft } from '../../schema/infer.js'
import type { ObjectResponse } from '../response/response.js'
import { readDraft, setNamespace } from './create.js'
import { createObject } from './create-object.js'
import { createdCode } from './initialization.js'
import { updateObject } from './update-object.js'
import type { VerbScope } from './verb-scope.js'
import { writeOptions } from './write-options.js'

/** Replaces the object that the path names with the one in the body. */
export async function update(scope: VerbScope): Promise<ObjectResponse> {
  const { context, resource, representation, subresource } = scope
  const options = writeOptions(context.request, 'UpdateOptions')
  const draft = await readDraft(scope, options)
  checkName(scope, draft.metadata.name ?? '')
  setNamespace(scope, draft)
  const target = resource.target(subresource)
  const { object, created } = await updateObject(scope, {
    options,
    uid: draft.metadata.uid,
    create: createsObject(scope) ? () => createObject(scope, withoutVersion(draft), options) : undefined,
    next: (live) => {
      const owned = { live: asJson(live), next: asJson(draft), manager: options.manager, time: scope.timestamps.now() }
      return asKubeObject(updateManagedFields(target, owned))
    },
  })
  return { is: 'object', code: created ? createdCode(scope, object) : 200, type: resource.type, object, representation }
}

/** A new object has no version, whatever the client has seen before. */
function withoutVersion(draft: Draft<KubeObject>): Draft<KubeObject> {
  const { resourceVersion, ...metadata } = draft.metadata
  return { ...draft, metadata }
}

function createsObject({ resource, subresource }: VerbScope): boolean {
  return subresource === '' && resource.stored.strategy.createdByUpdate === true
}

/** Rejects a body that names another object than the path. */
export function checkName({ name }: VerbScope, given: string): void {
  if (given === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`)
}
