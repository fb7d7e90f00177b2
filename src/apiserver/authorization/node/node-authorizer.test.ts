import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { type Cluster, openCluster, question, user } from '../authorization.test.kit.js'
import type { AuthorizationAttributes } from '../authorizer.js'
import { NodeAuthorizer } from './node-authorizer.js'

const node = (name: string) => user(`system:node:${name}`, 'system:nodes', 'system:authenticated')
const here = { namespace: 'here' }
const unrelated = "no relationship found between node 'a' and this object"

function pod(name: string, nodeName: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'here', ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec, ...(nodeName !== '' && { nodeName }) },
    status: {},
  }
}

const withSecret = (secretName: string) => ({ volumes: [{ name: 'v', secret: { secretName } }] })

describe('A node', () => {
  let cluster: Cluster
  let authorizer: NodeAuthorizer
  beforeEach(async () => {
    cluster = await openCluster()
    authorizer = new NodeAuthorizer(cluster.resources)
  })
  const decide = (verb: string, resource: string, more: Partial<AuthorizationAttributes> = {}, who = node('a')) =>
    authorizer.authorize(question(who, verb, resource, more))
  const may = (...asked: Parameters<typeof decide>) => decide(...asked).decision === 'allow'
  const reads = (resource: string, name: string, who = node('a')) => may('get', resource, { ...here, name }, who)

  it('reads what its pods refer to, wherever they do, and nothing of other nodes', async () => {
    const spec = {
      serviceAccountName: 'account',
      imagePullSecrets: [{ name: 'pull' }],
      initContainers: [
        { name: 'i', image: 'i', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 's-env', key: 'k' } } }] },
      ],
      containers: [
        {
          name: 'c',
          image: 'i',
          envFrom: [{ configMapRef: { name: 'c-from' } }, { secretRef: { name: 's-from' } }],
          env: [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'c-env', key: 'k' } } }],
        },
      ],
      volumes: [
        { name: 'a', secret: { secretName: 's-volume' } },
        { name: 'b', projected: { sources: [{ secret: { name: 's-proj' } }, { configMap: { name: 'c-proj' } }] } },
        { name: 'd', persistentVolumeClaim: { claimName: 'claim' } },
        { name: 'e', ephemeral: { volumeClaimTemplate: { spec: {} } } },
        { name: 'f', csi: { driver: 'd', nodePublishSecretRef: { name: 's-csi' } } },
        { name: 'g', configMap: { name: 'c-volume' } },
      ],
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpus' }],
    }
    await cluster.put(pod('p', 'a', spec))
    const named: readonly (readonly [string, readonly string[]])[] = [
      ['secrets', ['pull', 's-env', 's-from', 's-volume', 's-proj', 's-csi']],
      ['configmaps', ['c-from', 'c-env', 'c-proj', 'c-volume']],
      ['persistentvolumeclaims', ['claim', 'p-e']],
      ['pods', ['p']],
    ]
    for (const [resource, names] of named)
      for (const name of names) {
        equal(reads(resource, name), true, name)
        equal(reads(resource, name, node('b')), false, name)
        equal(may('get', resource, { namespace: 'there', name }), false, name)
      }
    equal(may('get', 'resourceclaims', { ...here, name: 'gpus', group: 'resource.k8s.io' }), true)
    equal(may('create', 'serviceaccounts/token', { ...here, name: 'account' }), true)
    equal(may('create', 'serviceaccounts/token', { ...here, name: 'other' }), false)
    equal(reads('secrets', 'unused'), false)
  })

  it('loses what its last pod referred to, and gets what a new one does', async () => {
    await cluster.put(pod('p', 'a', withSecret('s')), pod('q', 'a', withSecret('s')), pod('r', '', withSecret('t')))
    equal(reads('secrets', 's'), true)
    equal(reads('secrets', 't'), false)
    await cluster.remove(pod('p', 'a'))
    equal(reads('secrets', 's'), true)
    await cluster.remove(pod('q', 'a'))
    equal(reads('secrets', 's'), false)
    await cluster.put(pod('r', 'a', withSecret('t')))
    equal(reads('secrets', 't'), true)
  })

  it('gives itself nothing by mirror pods', async () => {
    const annotations = { 'kubernetes.io/config.mirror': 'x' }
    await cluster.put(pod('p', 'a', withSecret('s'), { annotations }))
    equal(reads('pods', 'p'), true)
    equal(reads('secrets', 's'), false)
  })

  it('reads the volumes of its claims and the secrets that mounting them takes, but not those of controllers', async () => {
    await cluster.put(pod('p', 'a', { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'claim' } }] }))
    const csi = {
      driver: 'd',
      volumeHandle: 'h',
      nodeStageSecretRef: { name: 'stage', namespace: 'here' },
      controllerPublishSecretRef: { name: 'control', namespace: 'here' },
    }
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: { csi, claimRef: { namespace: 'here', name: 'claim' } },
    }
    equal(reads('secrets', 'stage'), false)
    await cluster.put(volume)
    equal(may('get', 'persistentvolumes', { name: 'v' }), true)
    equal(may('get', 'persistentvolumes', { name: 'v' }, node('b')), false)
    equal(reads('secrets', 'stage'), true)
    equal(reads('secrets', 'stage', node('b')), false)
    equal(reads('secrets', 'control'), false)
    await cluster.put({ ...volume, spec: { csi } })
    equal(reads('secrets', 'stage'), false)
  })

  it('lists one object at a time, and pods and slices of its own', () => {
    const own = (value: string) => ({ fieldSelector: [{ field: 'spec.nodeName', operator: '=' as const, value }] })
    equal(decide('list', 'secrets', here).reason, 'No Object name found')
    equal(decide('list', 'secrets').reason, 'can only read namespaced object of this type')
    equal(decide('list', 'secrets', { ...here, name: 'x' }).reason, unrelated)
    equal(decide('list', 'pods').reason, 'can only list/watch pods with spec.nodeName field selector')
    equal(may('watch', 'pods', own('a')), true)
    equal(may('watch', 'pods', own('b')), false)
    equal(may('list', 'resourceslices', { group: 'resource.k8s.io', ...own('a') }), true)
    equal(may('deletecollection', 'resourceslices', { group: 'resource.k8s.io', ...own('b') }), false)
  })

  it('writes no secrets, whatever it runs', async () => {
    await cluster.put(pod('p', 'a', withSecret('s')))
    for (const verb of ['create', 'update', 'patch', 'delete', 'deletecollection'])
      equal(decide(verb, 'secrets', { ...here, name: 's' }).reason, 'can only read resources of this type')
  })

  it('sees itself and no other node', () => {
    equal(may('get', 'nodes', { name: 'a' }), true)
    equal(decide('get', 'nodes', { name: 'b' }).reason, "node 'a' cannot read 'b', only its own Node object")
    equal(decide('list', 'nodes').reason, "node 'a' cannot read all nodes, only its own Node object")
    deepEqual(decide('delete', 'nodes', { name: 'a' }), { decision: 'no-opinion', reason: '' })
    equal(may('patch', 'nodes/status', { name: 'a' }), true)
    equal(may('get', 'nodes/proxy', { name: 'a' }), false)
  })

  it('has a lease and a CSI node of its own name', () => {
    const lease = { group: 'coordination.k8s.io', namespace: 'kube-node-lease' }
    equal(may('update', 'leases', { ...lease, name: 'a' }), true)
    equal(may('update', 'leases', { ...lease, name: 'b' }), false)
    equal(may('update', 'leases', { ...lease, namespace: 'here', name: 'a' }), false)
    equal(may('get', 'csinodes', { group: 'storage.k8s.io', name: 'a' }), true)
    equal(may('get', 'csinodes', { group: 'storage.k8s.io', name: 'b' }), false)
  })

  it('may otherwise what every node may', () => {
    equal(may('create', 'events', here), true)
    equal(may('list', 'services'), true)
    equal(may('create', 'tokenreviews', { group: 'authentication.k8s.io' }), true)
    equal(may('list', 'deployments', { group: 'apps' }), false)
  })

  it('is one only by its group and its name together', async () => {
    await cluster.put(pod('p', 'a', withSecret('s')))
    const decided = (who: ReturnType<typeof user>) => decide('get', 'secrets', { ...here, name: 's' }, who)
    deepEqual(decided(user('system:node:a')), { decision: 'no-opinion', reason: '' })
    deepEqual(decided(user('a', 'system:nodes')), { decision: 'no-opinion', reason: '' })
    equal(decided(user('system:node:', 'system:nodes')).reason, 'unknown node for user "system:node:"')
  })
})
