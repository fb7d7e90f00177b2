import { badRequest } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { setDefaults } from '../../schema/defaults.js'
import type { Draft } from '../../schema/infer.js'
import { reportDecoded } from '../request/request-listeners.js'
import type { ObjectResponse } from '../response/response.js'
import { readObject } from './body.js'
import { createObject } from './create-object.js'
import { createdCode } from './initialization.js'
import type { VerbScope } from './verb-scope.js'
import { type WriteRequestOptions, writeOptions } from './write-options.js'

/** Creates the object in the body. */
export async function create(scope: VerbScope): Promise<ObjectResponse> {
  const { context, resource, representation } = scope
  const options = writeOptions(context.request, 'CreateOptions')
  const draft = await readDraft(scope, options)
  setNamespace(scope, draft)
  const object = await createObject(scope, draft, options)
  return { is: 'object', code: createdCode(scope, object), type: resource.type, object, representation }
}

/** Reads the object in the body of the request, with its defaults. */
export async function readDraft(
  { context, resource: { type }, scheme }: VerbScope,
  { fieldValidation }: WriteRequestOptions,
): Promise<Draft<KubeObject>> {
  const { object, warnings } = await readObject(context.request, { scheme, type, validation: fieldValidation })
  for (const warning of warnings) context.warnings.add(warning)
  setDefaults(type, object)
  reportDecoded(context, object)
  return object as Draft<KubeObject>
}

/** Sets the namespace of the request on the object, and rejects another. A cluster-scoped object has none. */
export function setNamespace({ resource, namespace }: VerbScope, draft: Draft<KubeObject>): void {
  const { metadata } = draft
  if (!resource.type.kind.resource.namespaced) {
    delete metadata.namespace
    return
  }
  if (!metadata.namespace) metadata.namespace = namespace
  else if (metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}
