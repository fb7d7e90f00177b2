import type { ObjectMeta, OwnerReference } from '../../../api/meta/v1/object-meta.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AuthorizationAttributes, AuthorizationResult } from '../../authorization/authorizer.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { RequestUser } from '../../request/user.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { rejection } from '../rejection.js'
import { isPod } from '../requests.js'

/** What the authorizers say to something, and why. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationResult | Promise<AuthorizationResult>

/**
 * Nobody has objects deleted by their owners who may not delete them, and nobody keeps owners from being deleted who may not
 * do that to them by a finalizer.
 */
export function ownerReferencesPermissionEnforcement(
  resources: Iterable<ServedResource>,
  authorize: Authorize,
): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    // Writing the status of a pod cannot change its owners.
    handles: (request) =>
      (request.operation === 'CREATE' || request.operation === 'UPDATE') && !isPod(request, 'status'),
    validate(request) {
      if (sameJson(ownersOf(request.object), ownersOf(request.old))) return
      return checkChange(request, { resources, authorize })
    },
  }
}

function ownersOf(object: { readonly metadata?: unknown } | undefined): readonly OwnerReference[] {
  return (object?.metadata as ObjectMeta | undefined)?.ownerReferences ?? []
}

interface Knowledge {
  readonly resources: Iterable<ServedResource>
  readonly authorize: Authorize
}

async function checkChange(request: AdmissionRequest, { resources, authorize }: Knowledge): Promise<void> {
  // Who creates an object has been asked already whether it may.
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
  { resources, authorize }: Knowledge,
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

/** References that keep their owners from being deleted, and did not before. */
function newlyBlocking(next: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const blocked = new Set(before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion).map(({ uid }) => uid))
  return next.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion && !blocked.has(uid))
}

/** In the form that clients know; undefined if it is allowed. */
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

/** Who may do it to everything need not be asked about each. */
function anyFinalizer(user: RequestUser): AuthorizationAttributes {
  const everything = { group: '*', version: '*', resource: '*', subresource: 'finalizers', namespace: '', name: '*' }
  return { user, verb: 'update', isResource: true, path: '', ...everything }
}

/** Owners are in the namespace of what they own, or in none. */
function finalizer(
  { user, namespace }: AdmissionRequest,
  { name }: OwnerReference,
  { type, groupResource }: ServedResource,
): AuthorizationAttributes {
  const { version, resource } = type.kind
  const place = { namespace: resource.namespaced ? namespace : '', name }
  return {
    user,
    verb: 'update',
    isResource: true,
    path: '',
    ...groupResource,
    version,
    subresource: 'finalizers',
    ...place,
  }
}
