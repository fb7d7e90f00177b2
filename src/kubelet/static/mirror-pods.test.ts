import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { type NodeHarness, nodeHarness } from '../node/node.test.kit.js'
import type { NodeAgent } from '../node/node-agent.js'
import { podFromManifest } from './manifest.js'
import { isMirrorOf, mirrorPods } from './mirror-pods.js'
import { isMirrorPod, isStaticPod } from './pod-source.js'

const manifest = (image: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'static', labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image }] },
  })
const podWith = (image: string) => podFromManifest(manifest(image), { path: 'a', nodeName: 'host' })

/** Registers a node with the permissions of a node. */
async function registered(harness: NodeHarness): Promise<NodeAgent> {
  const agent = await harness.begin()
  await harness.admin
    .resource(ServiceAccount)
    .in('default')
    .create({ metadata: { name: 'default' } })
  return agent
}

describe('the mirror of a static pod', () => {
  const mirrorIn = (harness: NodeHarness) => harness.admin.resource(Pod).in('default').get('static-host')

  test('represents the pod, and is owned by the node', async () => {
    await using harness = await nodeHarness()
    const agent = await registered(harness)
    const mirrors = mirrorPods({ environment: harness.environment, client: harness.client, node: () => agent.node() })
    const pod = await podWith('web:1')
    await mirrors.ensure(pod, undefined)
    const mirror = await mirrorIn(harness)
    const { uid } = pod.metadata
    assert.deepEqual(mirror.metadata.labels, { a: 'b' })
    assert.deepEqual(mirror.metadata.annotations, {
      'kubernetes.io/config.hash': uid,
      'kubernetes.io/config.mirror': uid,
      'kubernetes.io/config.source': 'file',
    })
    assert.deepEqual(mirror.metadata.ownerReferences, [
      { apiVersion: 'v1', kind: 'Node', name: 'host', uid: agent.node()?.metadata.uid, controller: true },
    ])
    assert.notEqual(mirror.metadata.uid, uid)
    const { nodeName, tolerations, priority, enableServiceLinks } = mirror.spec
    assert.deepEqual(
      { nodeName, tolerations, priority, enableServiceLinks },
      {
        nodeName: 'host',
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        priority: 0,
        enableServiceLinks: true,
      },
    )
    assert.ok(isStaticPod(pod) && !isMirrorPod(pod) && isMirrorPod(mirror) && isMirrorOf(mirror, pod))
    await mirrors.ensure(pod, undefined) // the informer may be behind
    await mirrors.ensure(pod, mirror)
    assert.equal((await mirrorIn(harness)).metadata.uid, mirror.metadata.uid)
  })

  test('is replaced when it represents an earlier pod', async () => {
    await using harness = await nodeHarness()
    const agent = await registered(harness)
    const mirrors = mirrorPods({ environment: harness.environment, client: harness.client, node: () => agent.node() })
    await mirrors.ensure(await podWith('web:1'), undefined)
    const before = await mirrorIn(harness)
    await mirrors.ensure(await podWith('web:2'), before)
    const mirror = await mirrorIn(harness)
    assert.notEqual(mirror.metadata.uid, before.metadata.uid)
    assert.equal(mirror.spec.containers?.[0]?.image, 'web:2')
  })

  test('is deleted at once, also if it is already gone', async () => {
    await using harness = await nodeHarness()
    const agent = await registered(harness)
    const mirrors = mirrorPods({ environment: harness.environment, client: harness.client, node: () => agent.node() })
    await mirrors.ensure(await podWith('web:1'), undefined)
    const mirror = await mirrorIn(harness)
    await mirrors.remove(mirror)
    await assert.rejects(mirrorIn(harness), { reason: 'NotFound' })
    await mirrors.remove(mirror)
  })

  test('is not created without a Node', async () => {
    await using harness = await nodeHarness()
    await registered(harness)
    const mirrors = mirrorPods({ environment: harness.environment, client: harness.client, node: () => undefined })
    await mirrors.ensure(await podWith('web:1'), undefined)
    await assert.rejects(mirrorIn(harness), { reason: 'NotFound' })
  })
})
