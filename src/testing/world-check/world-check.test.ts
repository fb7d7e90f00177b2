import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { Client } from '../../client/client.js'
import { inProcessTransport } from '../../client/in-process.js'
import { Informers } from '../../client/informers/informers.js'
import { FaultyTransport } from '../faults/faulty-transport.js'
import { startTestApiServer } from '../servers/api-server.js'
import { administrator, httpsClient, inProcessClient } from '../servers/clients.js'
import { WorldSnapshot } from './cluster-snapshot.js'
import { invariants } from './invariants.js'
import { checkWorld, WorldCheckError } from './world-check.js'

test('a consistent cluster passes, in process and over HTTPS', async () => {
  await using server = await startTestApiServer()
  const client = inProcessClient(server)
  const far = httpsClient(server)
  await using informers = new Informers(far, environment())
  const configMaps = client.resource(ConfigMap).in('default')
  const owner = await configMaps.create({ metadata: { name: 'owner' } })
  const { apiVersion, kind } = owner
  const ownerReferences = [{ apiVersion, kind, name: 'owner', uid: owner.metadata.uid!, controller: true }]
  await configMaps.create({ metadata: { name: 'owned', ownerReferences } })
  const informer = informers.of(ConfigMap, { namespace: 'default' })
  await informers.synced()
  await configMaps.create({ metadata: { name: 'late' } })
  await checkWorld(server, { informers: [informers] })
  await checkWorld(far)
  assert.ok(informer.get('default/late'))
  far.close()
})

test('the error lists every violation', async () => {
  await using server = await startTestApiServer()
  const transport = inProcessTransport({ handle: server.api.handleInProcess, user: administrator })
  const faulty = new FaultyTransport(systemClock, () => transport)
  await using informers = new Informers(new Client(faulty), environment())
  informers.of(ConfigMap)
  const configMaps = inProcessClient(server).resource(ConfigMap).in('default')
  for (const name of ['changed', 'gone']) await configMaps.create({ metadata: { name } })
  await informers.synced()
  faulty.partition(true)
  await configMaps.patch('changed', 'merge', { data: { a: 'b' } })
  await configMaps.delete('gone')
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'none', controller: true }]
  await configMaps.create({ metadata: { name: 'orphan', ownerReferences } })
  await assert.rejects(checkWorld(server, { informers: [informers] }), (error) => {
    assert.ok(error instanceof WorldCheckError)
    assert.deepEqual(error.violations, [
      'owners exist: ConfigMap default/orphan has an owner that does not exist: ConfigMap nobody',
      'caches are the truth: ConfigMap default/changed is not as it is',
      'caches are the truth: ConfigMap default/orphan is missing',
      'caches are the truth: ConfigMap default/gone does not exist any more',
    ])
    return true
  })
})

describe('in a settled cluster', () => {
  const namespace = object('Namespace', 'default', { namespace: '' })

  test('a terminating object may have lost its owner', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'none' }]
    const going = { ownerReferences, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] }
    assert.deepEqual(violationsOf('owners exist', [object('Pod', 'b', going)]), [])
    assert.equal(violationsOf('owners exist', [object('Pod', 'b', { ownerReferences })]).length, 1)
  })

  test('the owner has the kind and name of the reference', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'other', uid: 'Pod a' }]
    const objects = [object('Pod', 'a'), object('Pod', 'b', { ownerReferences })]
    assert.deepEqual(violationsOf('owners exist', objects), ['Pod default/b takes Pod default/a for Pod other'])
  })

  test('names are unique and namespaces exist', () => {
    const twice = [object('Pod', 'a'), object('Pod', 'a', { uid: 'another' })]
    assert.deepEqual(violationsOf('names are unique', twice), [
      'Pod default/a is that of Pod default/a and Pod default/a',
    ])
    assert.deepEqual(violationsOf('namespaces exist', [namespace, object('Pod', 'a')]), [])
    assert.equal(violationsOf('namespaces exist', [object('Pod', 'a')]).length, 1)
  })

  test('a deleted object stays only if a finalizer or a grace period holds it', () => {
    const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 }
    assert.equal(violationsOf('what can go is gone', [object('Pod', 'a', deleted)]).length, 1)
    assert.deepEqual(violationsOf('what can go is gone', [object('Pod', 'a', { ...deleted, finalizers: ['x/y'] })]), [])
    assert.deepEqual(
      violationsOf('what can go is gone', [object('Pod', 'a', { ...deleted, deletionGracePeriodSeconds: 30 })]),
      [],
    )
  })

  test('workloads have no more active pods than they want', () => {
    const ownerReferences = [{ kind: 'ReplicaSet', name: 'web', uid: 'ReplicaSet web', controller: true }]
    const set = { ...object('ReplicaSet', 'web'), spec: { replicas: 1 } }
    const pods = ['a', 'b'].map((name) => object('Pod', name, { ownerReferences }))
    const name = 'no ReplicaSet has more pods than it wants'
    assert.deepEqual(violationsOf(name, [set, ...pods]), ['ReplicaSet default/web wants 1 pods and has 2'])
    const failed = { ...pods[1]!, status: { phase: 'Failed' } }
    assert.deepEqual(violationsOf(name, [set, pods[0]!, failed]), [])
    const job = { ...object('Job', 'web', { uid: 'ReplicaSet web' }), spec: {} }
    const ofJobs = 'no Job has more pods than it wants'
    assert.deepEqual(violationsOf(ofJobs, [job, ...pods]), ['Job default/web wants 1 pods and has 2'])
    assert.deepEqual(violationsOf(ofJobs, [job, pods[0]!]), [])
    for (const over of [
      { spec: { suspend: true } },
      { status: { conditions: [{ type: 'Complete', status: 'True' }] } },
    ] as const)
      assert.deepEqual(violationsOf(ofJobs, [{ ...job, ...over }, pods[0]!]), [
        'Job default/web wants 0 pods and has 1',
      ])
  })

  test('a status is of the latest generation', () => {
    const name = 'the status of a Deployment is about its present generation'
    const deployment = (observedGeneration?: number) => ({
      ...object('Deployment', 'web', { generation: 2 }),
      status: { observedGeneration },
    })
    assert.deepEqual(violationsOf(name, [deployment(2)]), [])
    assert.deepEqual(violationsOf(name, [deployment()]), [
      'Deployment default/web is at generation 2, its status at undefined',
    ])
  })

  test('a daemon set has one pod on each node, unless maxSurge allows more', () => {
    const ownerReferences = [{ kind: 'DaemonSet', name: 'd', uid: 'DaemonSet d', controller: true }]
    const pods = ['a', 'b'].map((name) => ({ ...object('Pod', name, { ownerReferences }), spec: { nodeName: 'n' } }))
    const name = 'a daemon set has one pod on a node'
    const set = { ...object('DaemonSet', 'd'), spec: {} }
    assert.equal(violationsOf(name, [set, ...pods]).length, 1)
    assert.deepEqual(violationsOf(name, [set, pods[0]!, { ...pods[1]!, spec: { nodeName: 'm' } }]), [])
    const surging = { ...set, spec: { updateStrategy: { rollingUpdate: { maxSurge: 1 } } } }
    assert.deepEqual(violationsOf(name, [surging, ...pods]), [])
  })

  test('addresses are unique', () => {
    const at = (name: string, spec: object = {}) => ({
      ...object('Pod', name),
      spec,
      status: { podIPs: [{ ip: '10.0.0.1' }] },
    })
    assert.equal(violationsOf('pod addresses are unique', [at('a'), at('b')]).length, 1)
    assert.deepEqual(violationsOf('pod addresses are unique', [at('a'), at('b', { hostNetwork: true })]), [])
    const service = (name: string, spec: object) => ({ ...object('Service', name), spec })
    const name = 'service addresses are unique'
    const spec = { clusterIPs: ['10.96.0.9'], ports: [{ nodePort: 30001, protocol: 'TCP' }] }
    assert.equal(violationsOf(name, [service('a', spec), service('b', spec)]).length, 2)
    const headless = { clusterIPs: ['None'] }
    assert.deepEqual(violationsOf(name, [service('a', headless), service('b', headless)]), [])
  })

  test('a claim and its volume refer to each other', () => {
    const claim = { ...object('PersistentVolumeClaim', 'c'), spec: { volumeName: 'v' }, status: { phase: 'Bound' } }
    const volume = (uid: string) => ({ ...object('PersistentVolume', 'v'), spec: { claimRef: { uid } } })
    const name = 'claims and volumes belong together'
    assert.deepEqual(violationsOf(name, [claim, volume('PersistentVolumeClaim c')]), [])
    assert.equal(violationsOf(name, [claim, volume('other')]).length, 1)
  })
})

function violationsOf(name: string, objects: readonly KubeObject[]): readonly string[] {
  const check = invariants.find((each) => each.name === name)!
  return [...check.violations(new WorldSnapshot(1, objects))]
}

function object(kind: string, name: string, metadata: object = {}): KubeObject {
  const common = { name, namespace: 'default', uid: `${kind} ${name}`, ...metadata }
  const untyped: UntypedObject = { apiVersion: 'v1', kind, metadata: common, spec: {} }
  return untyped
}
