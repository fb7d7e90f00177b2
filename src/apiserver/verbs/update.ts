import { badRequest } from '../../api/errors.js'
import { asJson, asKubeObject, type KubeObject } from '../../api/kube-object.js'
import { updateManagedFields } from '../../schema/apply/update.js'
import type { Draft } from '../../schema/infer.js'
import type { ObjectResponse } from '../response/response.js'
import { readDraft, setNamespace } from './create.js'
import { createObject } from './create-object.js'
import { createdCode } from './initialization.js'
import { updateObject } from './update-object.js'
import { timeOf, type VerbScope } from './verb-scope.js'
import { writeOptions } from './write-options.js'

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
      const owned = { live: asJson(live), next: asJson(draft), manager: options.manager, time: timeOf(scope) }
      return asKubeObject(updateManagedFields(target, owned))
    },
  })
  return { is: 'object', code: created ? createdCode(scope, object) : 200, type: resource.type, object, representation }
}

/** Which version of it the client has seen says nothing of an object that is made anew. */
function withoutVersion(draft: Draft<KubeObject>): Draft<KubeObject> {
  const { resourceVersion, ...metadata } = draft.metadata
  return { ...draft, metadata }
}

function createsObject({ resource, subresource }: VerbScope): boolean {
  return subresource === '' && resource.stored.strategy.createdByUpdate === true
}

/** The path and the body name the same object. */
export function checkName({ name }: VerbScope, given: string): void {
  if (given === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`)
}
