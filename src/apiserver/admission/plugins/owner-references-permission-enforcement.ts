import type { ObjectMeta, OwnerReference } from '../../../api/meta/v1/object-meta.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AuthorizationAttributes, AuthorizationResult, Authorize } from '../../authorization/authorizer.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { RequestUser } from '../../request/user.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import { rejection } from '../rejection.js'
import { isPod, isWrite } from '../request.js'

/**
 * Rejects owner references by which a user could delete objects that it may not delete, or block the deletion of owners whose finalizers it
 * may not set.
 */
export const ownerReferencesPermissionEnforcement = defineAdmissionPlugin({
  name: 'OwnerReferencesPermissionEnforcement',
  position: 230,
  create: ({ resources, authorize }) => ({
    // A write of a pod's status cannot change its owners.
    handles: (request) => isWrite(request) && !isPod(request, 'status'),
    validate(request) {
      if (sameJson(ownersOf(request.object), ownersOf(request.old))) return
      return checkChange(request, { resources, authorize })
    },
  }),
})

function ownersOf(object: { readonly metadata?: unknown } | undefined): readonly OwnerReference[] {
  return (object?.metadata as ObjectMeta | undefined)?.ownerReferences ?? []
}

interface CheckDependencies {
  readonly resources: Iterable<ServedResource>
  readonly authorize: Authorize
}

async function checkChange(request: AdmissionRequest, { resources, authorize }: CheckDependencies): Promise<void> {
  // On CREATE, authorization has already allowed the write.
  if (request.operation === 'UPDATE') {
    const problem = problemIn(await authorize(deletion(request)))
    if (problem !== undefined)
      throw rejection(request, `cannot set an ownerRef on a resource you can't delete: ${problem}`)
  }
  const blocking = newlyBlocking(ownersOf(request.object), ownersOf(request.old))
  if (blocking.length === 0 || problemIn(await authorize(anyFinalizer(request.user))) === undefined) return
  for (const owner of blocking) await checkOwner(request, owner, { resources, authorize })
}

async function checkOwner(
  request: AdmissionRequest,
  owner: OwnerReference,
  { resources, authorize }: CheckDependencies,
): Promise<void> {
  const { apiVersion, kind } = owner
  const served = [...resources].filter(({ type }) => type.kind.apiVersion === apiVersion && type.kind.kind === kind)
  if (served.length === 0)
    throw rejection(
      request,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind ${quote(kind)} in version ${quote(apiVersion)}`,
    )
  for (const resource of served) {
    const problem = problemIn(await authorize(finalizer(request, owner, resource)))
    if (problem !== undefined)
      throw rejection(
        request,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${problem}`,
      )
  }
}

/** Returns the references that newly block the deletion of their owners. */
function newlyBlocking(next: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const blocked = new Set(before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion).map(({ uid }) => uid))
  return next.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion && !blocked.has(uid))
}

/** Returns the reason of a denial in upstream's words; undefined if it is allowed. */
function problemIn({ decision, reason, error }: AuthorizationResult): string | undefined {
  return decision === 'allow' ? undefined : `${reason}, ${error ?? '<nil>'}`
}

function deletion({ user, resource, subresource, namespace, name }: AdmissionRequest): AuthorizationAttributes {
  const { group, version } = resource.type.kind
  const { resource: plural } = resource.groupResource
  return {
    user,
    verb: 'delete',
    isResource: true,
    path: '',
    group,
    version,
    resource: plural,
    subresource,
    namespace,
    name,
  }
}

/** A user that may finalize everything needs no further checks. */
function anyFinalizer(user: RequestUser): AuthorizationAttributes {
  const everything = { group: '*', version: '*', resource: '*', subresource: 'finalizers', namespace: '', name: '*' }
  return { user, verb: 'update', isResource: true, path: '', ...everything }
}

/** Owners are in the namespace of the objects that they own, or cluster-wide. */
function finalizer(
  { user, namespace }: AdmissionRequest,
  { name }: OwnerReference,
  { type, groupResource }: ServedResource,
): AuthorizationAttributes {
  const { version, resource } = type.kind
  return {
    user,
    verb: 'update',
    isResource: true,
    path: '',
    ...groupResource,
    version,
    subresource: 'finalizers',
    namespace: resource.namespaced ? namespace : '',
    name,
  }
}
