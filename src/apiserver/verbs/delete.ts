import type { KubeObject } from '../../api/kube-object.js'
import { type EncodedObject, EncodedOnce, type ObjectResponse } from '../response/response.js'
import { deleteObject } from './delete-object.js'
import { deleteOptions } from './delete-options.js'
import type { VerbScope } from './verb-scope.js'

/** Deletes the object that the path names. */
export async function deleteNamed(scope: VerbScope): Promise<ObjectResponse> {
  const { resource, representation, context, scheme } = scope
  const options = await deleteOptions(scope)
  const { warning } = resource.stored.strategy.deletion ?? {}
  if (warning && options.propagationPolicy === undefined && options.orphanDependents === undefined)
    context.warnings.add(warning)
  const { object, removed } = await deleteObject(scope, options)
  if (!removed || resource.type.kind.resource.returnsDeleted)
    return { is: 'object', code: 200, type: resource.type, object, representation }
  return {
    is: 'object',
    code: 200,
    type: scheme.type('meta/v1.Status'),
    object: successStatus(scope, object),
    representation,
  }
}

/** The response of most kinds when the object has been removed. */
function successStatus({ resource }: VerbScope, { object }: EncodedObject): EncodedObject {
  const { group, resource: kind } = resource.groupResource
  const { name, uid } = object.metadata
  const details = { name, ...(group !== '' && { group }), kind, uid }
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  return new EncodedOnce(status as KubeObject)
}
