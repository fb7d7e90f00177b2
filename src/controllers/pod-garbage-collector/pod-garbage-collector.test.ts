import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { DurationLike } from '../../base/virtual-clock.js'
import { killAfterWrites } from '../../testing/faults/write-faults.js'
import { ControllerHarness } from '../harness.test.kit.js'

const controllers = ['pod-garbage-collector-controller']

describe('a pod', () => {
  test('whose node does not exist fails and goes, after the node had time to show up', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    await makeNode(harness, 'here')
    await makePod(harness, 'kept', 'here')
    await makePod(harness, 'lost', 'nowhere')
    const seen = follow(harness, 'lost')
    // It is missed at the first look after it was made, and asked for at the first look 40 seconds later.
    await harness.clock.advance('59s')
    assert.deepEqual(await names(harness), ['kept', 'lost'])
    await harness.clock.advance('1s')
    assert.deepEqual(await names(harness), ['kept'])
    const [failed] = seen.filter(({ status }) => status.phase === 'Failed')
    assert.equal(failed!.metadata.deletionTimestamp, undefined)
    assert.equal(failed!.status.observedGeneration, 1)
    assert.deepEqual(failed!.status.conditions, [
      {
        type: 'DisruptionTarget',
        observedGeneration: 1,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:01:00Z',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      },
    ])
  })

  for (const writes of [0, 1, 2])
    test(`whose node does not exist goes in the end if the loop is killed after ${writes} writes`, async () => {
      await using harness = await ControllerHarness.begin({ controllers, transport: killAfterWrites(writes) })
      await makePod(harness, 'lost', 'nowhere')
      await harness.clock.advance('1m')
      assert.deepEqual(await names(harness), writes < 2 ? ['lost'] : [])
      await harness.stop()
      harness.start({ controllers })
      await harness.clock.advance('1m')
      assert.deepEqual(await names(harness), [])
    })

  test('stays when its node shows up in time', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    await makePod(harness, 'early', 'late')
    await harness.clock.advance('50s')
    await makeNode(harness, 'late')
    await harness.clock.advance('5m')
    assert.deepEqual(await names(harness), ['early'])
  })

  test('that is to end and was never bound goes at the next look', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    await makePod(harness, 'bound', 'here')
    await makeNode(harness, 'here')
    await makePod(harness, 'waiting')
    await makePod(harness, 'held', undefined, ['example.com/hold'])
    const { client, clock } = harness
    for (const name of ['bound', 'held']) await client.resource(Pod).in('default').delete(name)
    await clock.advance('1s')
    assert.equal((await read(harness, 'held')).status.phase, 'Pending')
    await clock.advance('20s')
    assert.equal((await read(harness, 'held')).status.phase, 'Failed')
    assert.equal((await read(harness, 'held')).status.conditions, undefined)
    await client
      .resource(Pod)
      .in('default')
      .patch('held', 'merge', { metadata: { finalizers: null } })
    assert.deepEqual(await names(harness), ['bound', 'waiting'])
  })

  for (const [what, taints, isReady, isCollected] of [
    ['goes from a node that is out of service', ['node.kubernetes.io/out-of-service'], false, true],
    ['stays on a node that only is not ready', [], false, false],
    ['stays on a node that is ready, whatever is said of it', ['node.kubernetes.io/out-of-service'], true, false],
  ] as const)
    test(`that is to end ${what}`, async () => {
      await using harness = await ControllerHarness.begin({ controllers })
      await makeNode(harness, 'node', { taints, isReady })
      await makePod(harness, 'web', 'node')
      await harness.client.resource(Pod).in('default').delete('web')
      await harness.clock.advance('21s')
      assert.deepEqual(await names(harness), isCollected ? [] : ['web'])
    })

  test('that has ended stays until there are too many; then the oldest go, those that were evicted before all', async () => {
    await using harness = await ControllerHarness.begin({
      controllers,
      options: { flags: { 'terminated-pod-gc-threshold': 2 } },
    })
    await makeNode(harness, 'here')
    const endings = { first: {}, second: {}, third: {}, evicted: { reason: 'Evicted' } }
    for (const [name, ending] of Object.entries(endings)) {
      await makePod(harness, name, 'here')
      await end(harness, name, { phase: 'Failed', ...ending })
      await pass(harness, '1s')
    }
    await makePod(harness, 'running', 'here')
    await harness.clock.advance('20s')
    assert.deepEqual(await names(harness), ['running', 'second', 'third'])
  })

  test('that has ended stays for ever if nobody counts them', async () => {
    await using harness = await ControllerHarness.begin({
      controllers,
      options: { flags: { 'terminated-pod-gc-threshold': 0 } },
    })
    await makeNode(harness, 'here')
    await makePod(harness, 'ended', 'here')
    await end(harness, 'ended', { phase: 'Succeeded' })
    await harness.clock.advance('1h')
    assert.deepEqual(await names(harness), ['ended'])
  })
})

async function makeNode(
  { client }: ControllerHarness,
  name: string,
  { taints = [], isReady = true }: { readonly taints?: readonly string[]; readonly isReady?: boolean } = {},
): Promise<void> {
  const spec = { taints: taints.map((key) => ({ key, effect: 'NoExecute' as const })) }
  await client.resource(Node).create({ metadata: { name }, spec })
  const conditions = [{ type: 'Ready' as const, status: isReady ? ('True' as const) : ('False' as const) }]
  await client.resource(Node).subresource('status').patch(name, 'strategic', { status: { conditions } })
}

async function makePod(
  { client, clock }: ControllerHarness,
  name: string,
  nodeName?: string,
  finalizers: readonly string[] = [],
): Promise<void> {
  const namespace = 'default'
  const accounts = client.resource(ServiceAccount).in(namespace)
  if ((await accounts.list()).items.length === 0) await accounts.create({ metadata: { name: 'default' } })
  const spec = { containers: [{ name: 'c', image: 'web:1' }], ...(nodeName && { nodeName }) }
  await client.resource(Pod).create({ metadata: { name, namespace, finalizers }, spec })
  await clock.settle()
}

async function end({ client }: ControllerHarness, name: string, status: Partial<Pod['status']>): Promise<void> {
  await client.resource(Pod).in('default').subresource('status').patch(name, 'merge', { status })
}

function pass({ clock }: ControllerHarness, span: DurationLike): Promise<void> {
  return clock.advance(span)
}

function read({ client }: ControllerHarness, name: string): Promise<Pod> {
  return client.resource(Pod).in('default').get(name)
}

async function names({ client }: ControllerHarness): Promise<readonly string[]> {
  return (await client.resource(Pod).list()).items.map(({ metadata }) => metadata.name!)
}

/** Every state of a pod from now on. */
function follow({ client }: ControllerHarness, name: string): readonly Pod[] {
  const seen: Pod[] = []
  const watch = async () => {
    for await (const { object } of client
      .resource(Pod)
      .in('default')
      .watch({ fieldSelector: `metadata.name=${name}` }))
      seen.push(object)
  }
  void watch()
  return seen
}
