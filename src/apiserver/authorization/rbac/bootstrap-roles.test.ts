import { deepStrictEqual as deepEqual, strictEqual as equal, ok } from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { KubeObject } from '../../../api/kube-object.js'
import type { ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import type { RoleBinding } from '../../../api/rbac/v1/role-binding.js'
import { controllerRoles } from '../../../testing/servers/api-server.js'
import { type Cluster, openCluster } from '../authorization.test.kit.js'
import { bootstrapRoles } from './bootstrap-roles.js'
import { uncovered } from './coverage.js'

const group = 'rbac.authorization.k8s.io'

describe('A cluster at start', () => {
  let cluster: Cluster
  beforeEach(async () => {
    cluster = await openCluster()
    await boot()
  })
  const boot = () => bootstrapRoles(cluster.resources, cluster, controllerRoles)
  const list = (plural: string) => {
    const { objects, prefix } = cluster.resources.find(group, 'v1', plural)!
    return objects.list(prefix).map(({ object }) => object)
  }
  const get = <T = KubeObject>(plural: string, name: string) =>
    list(plural).find(({ metadata }) => metadata.name === name) as T | undefined

  it('gets the initial roles and bindings, marked as such', () => {
    const counts = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map((plural) => list(plural).length)
    deepEqual(counts, [69, 50, 7, 7])
    for (const plural of ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'])
      for (const { metadata } of list(plural)) {
        equal(metadata.labels?.['kubernetes.io/bootstrapping'], 'rbac-defaults')
        equal(metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'], 'true')
        ok(metadata.uid && metadata.creationTimestamp)
      }
  })

  it('is left alone if nothing is missing', async () => {
    const { revision } = cluster.store
    await boot()
    equal(cluster.store.revision, revision)
  })

  it('gets back what somebody took away, and keeps what somebody added', async () => {
    const { metadata, rules } = get<ClusterRole>('clusterroles', 'system:basic-user')!
    const own = { verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] }
    const kept = [own, ...(rules ?? []).slice(1)]
    await cluster.put({
      apiVersion: `${group}/v1`,
      kind: 'ClusterRole',
      metadata: { ...metadata, labels: {} },
      rules: kept,
    })
    await cluster.remove(get('clusterrolebindings', 'system:discovery')!)
    const masters = get<RoleBinding>('clusterrolebindings', 'cluster-admin')!
    const subjects = [{ kind: 'User', name: 'root', apiGroup: group }]
    await cluster.put({ ...masters, subjects })
    await boot()
    const restored = get<ClusterRole>('clusterroles', 'system:basic-user')!
    deepEqual(restored.rules?.slice(0, kept.length), kept)
    equal(restored.rules?.length, kept.length + 2) // one resource each
    equal(restored.metadata.labels?.['kubernetes.io/bootstrapping'], 'rbac-defaults')
    ok(get('clusterrolebindings', 'system:discovery'))
    deepEqual(
      get<RoleBinding>('clusterrolebindings', 'cluster-admin')?.subjects?.map(({ name }) => name),
      ['root', 'system:masters'],
    )
  })

  it('does not touch what is not to be kept up to date', async () => {
    const found = get<ClusterRole>('clusterroles', 'system:basic-user')!
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' }
    await cluster.put({ ...found, metadata: { ...found.metadata, annotations }, rules: [] })
    await boot()
    deepEqual(get<ClusterRole>('clusterroles', 'system:basic-user')!.rules, [])
  })

  it('leaves sums to whoever sums up, unless nobody has', async () => {
    const { metadata, aggregationRule, rules } = get<ClusterRole>('clusterroles', 'view')!
    const view = { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata, aggregationRule }
    const [first] = rules!
    await cluster.put({ ...view, rules: [first] })
    await boot()
    deepEqual(get<ClusterRole>('clusterroles', 'view')!.rules, [first])
    await cluster.put({ ...view, rules: null })
    await boot()
    deepEqual([...uncovered(get<ClusterRole>('clusterroles', 'view')!.rules ?? [], rules!)], [])
  })

  it('makes a binding anew that means another role than it should', async () => {
    const found = get<RoleBinding>('clusterrolebindings', 'system:basic-user')!
    await cluster.put({ ...found, roleRef: { ...found.roleRef, name: 'cluster-admin' } })
    await boot()
    const made = get<RoleBinding>('clusterrolebindings', 'system:basic-user')!
    equal(made.roleRef.name, 'system:basic-user')
    ok(made.metadata.uid !== found.metadata.uid)
  })
})
