import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import { Role } from '../../api/rbac/v1/role.js'
import type { ClientRequest, Transport } from '../../client/transport.js'
import { killAfterWrites } from '../../testing/faults/write-faults.js'
import { ControllerHarness } from '../harness.test.kit.js'

const controllers = ['namespace-controller']

describe('a namespace that is deleted', () => {
  test('goes with all its content', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { client, clock } = harness
    await begin(harness)
    for (const kind of [ConfigMap, Secret, ServiceAccount] as const)
      await client.resource(kind).create({ metadata: { name: 'thing', namespace: 'doomed' } })
    await client.resource(Role).create({ metadata: { name: 'thing', namespace: 'doomed' }, rules: [] })
    await client.resource(ConfigMap).create({ metadata: { name: 'thing', namespace: 'default' } })
    await client.resource(Namespace).delete('doomed')
    await clock.settle()
    assert.equal(await stateOf(harness), undefined)
    for (const kind of [ConfigMap, Secret, ServiceAccount, Role] as const)
      assert.deepEqual((await client.resource(kind).in('doomed').list()).items, [])
    assert.ok(await client.resource(ConfigMap).in('default').get('thing'))
  })

  test('waits for finalizers and names them', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { client, clock } = harness
    await begin(harness)
    const hold = (name: string, ...finalizers: string[]) => ({ metadata: { name, namespace: 'doomed', finalizers } })
    await client.resource(ConfigMap).create(hold('a', 'example.com/hold'))
    await client.resource(Secret).create(hold('b', 'example.com/hold', 'example.com/other'))
    await client.resource(ConfigMap).create(hold('c'))
    await client.resource(Namespace).delete('doomed')
    await clock.settle()
    assert.deepEqual(await stateOf(harness), [
      'Terminating',
      'NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure=False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances, secrets. has 1 resource instances',
      'NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances, example.com/other in 1 resource instances',
    ])
    await client
      .resource(ConfigMap)
      .in('doomed')
      .patch('a', 'merge', { metadata: { finalizers: null } })
    await client
      .resource(Secret)
      .in('doomed')
      .patch('b', 'merge', { metadata: { finalizers: null } })
    await clock.advance('8s')
    assert.equal(await stateOf(harness), undefined)
  })

  test('loses its pods first, and the rest as soon as the last pod is gone', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { client, clock } = harness
    await begin(harness)
    await makePod(harness, { nodeName: 'somewhere', terminationGracePeriodSeconds: 30 })
    await client.resource(ConfigMap).create({ metadata: { name: 'kept', namespace: 'doomed' } })
    await client.resource(Namespace).delete('doomed')
    await clock.advance('5s')
    assert.ok((await client.resource(Pod).in('doomed').get('web')).metadata.deletionTimestamp)
    assert.ok(await client.resource(ConfigMap).in('doomed').get('kept'))
    assert.deepEqual(
      (await stateOf(harness))!.filter((line) => line.includes('=True')),
      [
        'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances',
      ],
    )
    await client.resource(Pod).in('doomed').delete('web', { gracePeriodSeconds: 0 })
    await clock.settle()
    assert.equal(await stateOf(harness), undefined)
  })

  test('reports pods that stay after their grace period', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { client, clock } = harness
    await begin(harness)
    await makePod(harness, { nodeName: 'lost', terminationGracePeriodSeconds: 5 })
    await client.resource(Namespace).delete('doomed')
    await clock.advance('1m')
    assert.deepEqual(
      (await stateOf(harness))!.filter((line) => line.includes('=True')),
      [
        'NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: doomed for gvr: /v1, Resource=pods',
        'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances',
      ],
    )
  })

  test('stays, empty, while it has finalizers of other clients', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { client, clock } = harness
    await client.resource(Namespace).create({ metadata: { name: 'doomed', finalizers: ['example.com/mourner'] } })
    await client.resource(ConfigMap).create({ metadata: { name: 'thing', namespace: 'doomed' } })
    await client.resource(Namespace).delete('doomed')
    await clock.settle()
    const { spec, status } = await client.resource(Namespace).get('doomed')
    assert.deepEqual([spec.finalizers ?? [], status.phase], [[], 'Terminating'])
    assert.deepEqual((await client.resource(ConfigMap).in('doomed').list()).items, [])
    await client.resource(Namespace).patch('doomed', 'merge', { metadata: { finalizers: null } })
    assert.equal(await stateOf(harness), undefined)
  })

  test('goes even if it was deleted while no controller ran', async () => {
    await using harness = await ControllerHarness.begin()
    const { client, clock } = harness
    await begin(harness)
    await client.resource(ConfigMap).create({ metadata: { name: 'thing', namespace: 'doomed' } })
    await client.resource(Namespace).delete('doomed')
    harness.start({ controllers })
    await clock.settle()
    assert.equal(await stateOf(harness), undefined)
  })

  for (const writes of [0, 1, 2, 3, 4])
    test(`goes even if the controller is killed after ${writes} writes`, async () => {
      await using harness = await ControllerHarness.begin({ controllers, transport: killAfterWrites(writes) })
      const { client, clock } = harness
      await begin(harness)
      await makePod(harness, {})
      await client.resource(ConfigMap).create({ metadata: { name: 'thing', namespace: 'doomed' } })
      await client.resource(Namespace).delete('doomed')
      await clock.settle()
      await harness.stop()
      harness.start({ controllers })
      await clock.settle()
      assert.equal(await stateOf(harness), undefined)
    })

  test('loses all content that can be deleted', async () => {
    const refuses = ({ method, path }: ClientRequest) => method === 'DELETE' && path.endsWith('/secrets')
    await using harness = await ControllerHarness.begin({ controllers, transport: failing(refuses) })
    const { client, clock } = harness
    await begin(harness)
    for (const kind of [ConfigMap, Secret] as const)
      await client.resource(kind).create({ metadata: { name: 'thing', namespace: 'doomed' } })
    await client.resource(Namespace).delete('doomed')
    await clock.advance('30s')
    assert.deepEqual((await client.resource(ConfigMap).in('doomed').list()).items, [])
    assert.deepEqual(
      (await stateOf(harness))!.filter((line) => line.includes('=True')),
      [
        'NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: refused',
      ],
    )
  })

  test('stays until all resources can be discovered', async () => {
    let isDown = true
    const discovers = ({ path }: ClientRequest) => isDown && path === '/apis'
    await using harness = await ControllerHarness.begin({ controllers, transport: failing(discovers) })
    const { client, clock } = harness
    await begin(harness)
    await client.resource(Namespace).delete('doomed')
    await clock.settle()
    assert.deepEqual(
      (await stateOf(harness))!.filter((line) => line.includes('=True')),
      ['NamespaceDeletionDiscoveryFailure=True DiscoveryFailed: refused'],
    )
    isDown = false
    await clock.advance('10s')
    assert.equal(await stateOf(harness), undefined)
  })

  test('is discovered once, and only resources with objects are deleted', async () => {
    const requests: string[] = []
    const counting = (inner: Transport): Transport => ({
      ...inner,
      send(request) {
        if (request.method !== 'GET' || !request.path.includes('/namespaces/'))
          requests.push(`${request.method} ${request.path}`)
        return inner.send(request)
      },
    })
    await using harness = await ControllerHarness.begin({ controllers, transport: counting })
    const { client, clock } = harness
    await begin(harness)
    for (let i = 0; i < 5; i++)
      await client.resource(Secret).create({ metadata: { name: `s${i}`, namespace: 'doomed' } })
    await client.resource(Namespace).delete('doomed')
    await clock.advance('10m')
    assert.deepEqual(requests, [
      'GET /api',
      'GET /apis',
      'DELETE /api/v1/namespaces/doomed/secrets',
      'PUT /api/v1/namespaces/doomed/status',
      'PUT /api/v1/namespaces/doomed/finalize',
    ])
  })
})

async function begin({ client, clock }: ControllerHarness): Promise<void> {
  await client.resource(Namespace).create({ metadata: { name: 'doomed' } })
  await clock.settle()
}

async function makePod({ client }: ControllerHarness, spec: Partial<Pod['spec']>): Promise<void> {
  const namespace = 'doomed'
  await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace } })
  const containers = [{ name: 'web', image: 'web:1' }]
  await client
    .resource(Pod)
    .create({ metadata: { name: 'web', namespace }, spec: { ...spec, containers } as Pod['spec'] })
}

/** The phase and all conditions; undefined when it is gone. */
async function stateOf({ client }: ControllerHarness): Promise<readonly string[] | undefined> {
  try {
    const { status } = await client.resource(Namespace).get('doomed')
    const conditions = status.conditions ?? []
    return [status.phase!, ...conditions.map((each) => `${each.type}=${each.status} ${each.reason}: ${each.message}`)]
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

function failing(isRefused: (request: ClientRequest) => boolean): (inner: Transport) => Transport {
  return (inner) => ({
    ...inner,
    async send(request) {
      if (isRefused(request)) throw new Error('refused')
      return inner.send(request)
    },
  })
}
