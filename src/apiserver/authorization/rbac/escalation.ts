import { forbidden, notFound, unknown } from '../../../api/errors.js'
import { asJson, type KubeObject } from '../../../api/kube-object.js'
import type { ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import type { RoleBinding, RoleRef } from '../../../api/rbac/v1/role-binding.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/admission.js'
import type { IsAllowed } from '../authorizer.js'
import { comparisons, uncovered } from './coverage.js'
import type { RbacAuthorizer } from './rbac-authorizer.js'
import { bracketedList, describeMany } from './rule-text.js'

const group = 'rbac.authorization.k8s.io'
const mightiestGroup = 'system:masters'

/** All permissions, which an aggregated role needs, because other users may write the roles that it aggregates. */
const fullAuthority: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** Takes less than a second, during which no other request runs. Real roles need some thousands. */
const maxComparisons = 5_000_000
const tooMuch =
  'is attempting to grant more RBAC permissions at once than can be compared with those currently held: the rules must name fewer verbs, groups, resources or names'

type Check = (request: AdmissionRequest) => void | Promise<void>

/**
 * Prevents privilege escalation: a user that writes a role must have all permissions of the role, or be allowed to `escalate`; a user that binds
 * a role must have its permissions, or be allowed to `bind` it. Runs after the mutating plugins and before validation, and changes nothing.
 */
export function escalationCheck(rbac: RbacAuthorizer, isAllowed: IsAllowed): AdmissionPlugin {
  const checks: Readonly<Record<string, Check>> = {
    roles: (request) => checkRole(request, rbac, isAllowed),
    clusterroles: (request) => checkRole(request, rbac, isAllowed),
    rolebindings: (request) => checkBinding(request, rbac, isAllowed),
    clusterrolebindings: (request) => checkBinding(request, rbac, isAllowed),
  }
  return {
    name: 'no escalation',
    handles: ({ operation, resource: { groupResource }, user, subresource }) =>
      groupResource.group === group &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      Object.hasOwn(checks, groupResource.resource) &&
      !user.groups.includes(mightiestGroup),
    mutate: (request) => checks[request.resource.groupResource.resource]!(request),
  }
}

async function checkRole(request: AdmissionRequest, rbac: RbacAuthorizer, isAllowed: IsAllowed): Promise<void> {
  if (await isAllowed(roleAttributes(request))) return
  if (isGarbageCollection(request)) return
  const role = request.object as ClusterRole
  checkHeld(request, rbac, role.rules ?? [])
  const gathers = role.aggregationRule ?? (request.old as ClusterRole | undefined)?.aggregationRule
  if (gathers && !uncovered(heldBy(request, rbac).rules, fullAuthority).next().done)
    throw refused(request, 'must have cluster-admin privileges to use the aggregationRule')
}

function roleAttributes({ user, resource, namespace, name, operation }: AdmissionRequest) {
  return {
    user,
    verb: 'escalate',
    isResource: true,
    path: '',
    ...resource.groupResource,
    version: '*',
    subresource: '',
    namespace,
    name: operation === 'CREATE' ? '' : name,
  }
}

async function checkBinding(request: AdmissionRequest, rbac: RbacAuthorizer, isAllowed: IsAllowed): Promise<void> {
  if (isGarbageCollection(request)) return
  const { roleRef } = request.object as RoleBinding
  const resource = Object.hasOwn(roleResources, roleRef.kind) ? roleResources[roleRef.kind] : undefined
  if (resource !== undefined && (await isAllowed(bindAttributes(request, roleRef, resource)))) return
  checkHeld(request, rbac, boundRules(request, rbac, roleRef))
}

const roleResources: Readonly<Record<string, string>> = { ClusterRole: 'clusterroles', Role: 'roles' }

function bindAttributes({ user, namespace }: AdmissionRequest, roleRef: RoleRef, resource: string) {
  return {
    user,
    verb: 'bind',
    isResource: true,
    path: '',
    group: roleRef.apiGroup ?? '',
    version: '*',
    resource,
    subresource: '',
    namespace,
    name: roleRef.name,
  }
}

function boundRules(request: AdmissionRequest, rbac: RbacAuthorizer, roleRef: RoleRef): readonly PolicyRule[] {
  if (!Object.hasOwn(roleResources, roleRef.kind))
    throw unknown(`unsupported role reference kind: ${quote(roleRef.kind)}`)
  const rules = rbac.rulesOf(roleRef, request.namespace)
  if (!rules) throw notFound(request.resource.groupResource, roleRef.name)
  return rules
}

/** Whether an update changes only owners and finalizers, as the garbage collector does. */
function isGarbageCollection({ object, old }: AdmissionRequest): boolean {
  return old !== undefined && object !== undefined && sameJson(withoutOwners(object), withoutOwners(old))
}

function withoutOwners({ metadata, ...rest }: KubeObject) {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...kept } = metadata
  return asJson({ ...rest, metadata: kept })
}

function heldBy({ user, namespace }: AdmissionRequest, rbac: RbacAuthorizer) {
  return rbac.rulesFor(user, namespace)
}

function checkHeld(request: AdmissionRequest, rbac: RbacAuthorizer, wanted: readonly PolicyRule[]): void {
  const { rules: held, error } = heldBy(request, rbac)
  const { name, groups } = request.user
  const who = `user ${quote(name)} (groups=${bracketedList(groups)})`
  if (comparisons(held, wanted) > maxComparisons) throw refused(request, `${who} ${tooMuch}`)
  const missing = describeMany(uncovered(held, wanted))
  if (missing === '') return
  const why = error === undefined ? '' : `; resolution errors: [${error}]`
  throw refused(request, `${who} is attempting to grant RBAC permissions not currently held:\n${missing}${why}`)
}

function refused({ resource, object }: AdmissionRequest, why: string): Error {
  return forbidden(resource.groupResource, object?.metadata.name ?? '', why)
}
