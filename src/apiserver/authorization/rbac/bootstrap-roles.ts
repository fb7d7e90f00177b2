import type { KubeObject } from '../../../api/kube-object.js'
import type { ObjectMeta } from '../../../api/meta/v1/object-meta.js'
import type { ControllerRole } from '../../../api/rbac/rule-text.js'
import { aggregatedRules } from '../../../api/rbac/v1/aggregation.js'
import type { RoleBindingParts } from '../../../api/rbac/v1/binding-validation.js'
import type { ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import { setDefaults } from '../../../schema/defaults.js'
import { canonicalObject } from '../../../schema/encode.js'
import type { ObjectChange } from '../../cache/object-store.js'
import type { ResourceMap } from '../../registry/resource-map.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { VerbDependencies } from '../../verbs/verb-scope.js'
import { type BootstrapPolicy, bootstrapPolicy } from './bootstrap-policy.js'
import { type RoleReconcileResult, reconcileBinding, reconcileRole } from './reconcile.js'

const group = 'rbac.authorization.k8s.io'

/** Upper bound of changes per transaction that every store supports. */
const batchSize = 100

/** What the roles are written with. A `VerbDependencies` is one. */
export type BootstrapServer = Pick<VerbDependencies, 'environment' | 'store' | 'timestamps'>

/** Creates the default roles and bindings, and adds missing rules and subjects to existing ones. Never removes any. */
export async function bootstrapRoles(
  resources: ResourceMap,
  server: BootstrapServer,
  controllers: readonly ControllerRole[] = [],
): Promise<void> {
  const policy = bootstrapPolicy(controllers)
  while (!(await reconcileOnce(policy, resources, server)));
}

/** Returns false if a write failed because of a concurrent write, most likely by another server that starts. */
async function reconcileOnce(
  policy: BootstrapPolicy,
  resources: ResourceMap,
  server: BootstrapServer,
): Promise<boolean> {
  await server.store.waitUntilCurrent()
  const changes = new Reconciliation(resources, server).changes(policy)
  let isDone = true
  for (let start = 0; start < changes.length; start += batchSize) {
    const written = await server.store.write(changes.slice(start, start + batchSize))
    if (!written) isDone = false
  }
  return isDone
}

class Reconciliation {
  readonly #resources: ResourceMap
  readonly #server: BootstrapServer
  readonly #changes: ObjectChange[] = []

  constructor(resources: ResourceMap, server: BootstrapServer) {
    this.#resources = resources
    this.#server = server
  }

  changes(policy: BootstrapPolicy): readonly ObjectChange[] {
    for (const role of withAggregatedRules(policy.clusterRoles)) this.#reconcile('clusterroles', role, reconcileRole)
    for (const role of policy.roles) this.#reconcile('roles', role, reconcileRole)
    for (const binding of policy.clusterRoleBindings)
      this.#reconcile('clusterrolebindings', binding as Binding, reconcileBinding)
    for (const binding of policy.roleBindings) this.#reconcile('rolebindings', binding as Binding, reconcileBinding)
    return this.#changes
  }

  #reconcile<T extends { readonly metadata: ObjectMeta }>(
    plural: string,
    wanted: T,
    reconcile: (existing: KubeObject, wanted: T) => RoleReconcileResult,
  ) {
    const resource = this.#resources.find(group, 'v1', plural)!
    const { metadata } = wanted
    const key = resource.key(metadata.namespace ?? '', metadata.name ?? '')
    const kept = resource.objects.get(key)
    if (!kept) {
      this.#changes.push({ key, expected: 0, object: this.#created(resource, wanted) })
      return
    }
    const reconciled = reconcile(kept.object, wanted)
    if (reconciled.is === 'replaced')
      this.#changes.push({ key, expected: kept.revision, object: this.#created(resource, wanted) })
    if (reconciled.is === 'changed')
      this.#changes.push({ key, expected: kept.revision, object: unversioned(resource, reconciled.object) })
  }

  #created(resource: ServedResource, object: { readonly metadata: ObjectMeta }): KubeObject {
    const uid = this.#server.environment.random.uuid()
    const metadata = { ...object.metadata, uid, creationTimestamp: this.#server.timestamps.now() }
    return canonicalOf(resource, { ...object, metadata })
  }
}

type Binding = RoleBindingParts & KubeObject

function canonicalOf(resource: ServedResource, given: object): KubeObject {
  const object = canonicalObject(resource.stored, given)
  setDefaults(resource.stored, object)
  return object as KubeObject
}

function unversioned(resource: ServedResource, { metadata, ...rest }: KubeObject): KubeObject {
  const { resourceVersion: _version, ...kept } = metadata
  return canonicalOf(resource, { ...rest, metadata: kept })
}

/**
 * Sets the rules of aggregated roles, smaller ones first. A controller keeps them up to date later, but a server without controllers must be
 * usable, too.
 */
function withAggregatedRules(roles: readonly ClusterRole[]): readonly ClusterRole[] {
  const whole = roles.filter(({ aggregationRule }) => !aggregationRule)
  const sums = roles.filter(({ aggregationRule }) => aggregationRule)
  for (const role of sums.reverse()) whole.push({ ...role, rules: [...aggregatedRules(role, whole)] } as ClusterRole)
  return whole
}
