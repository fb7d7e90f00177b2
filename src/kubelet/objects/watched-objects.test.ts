import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { namespace, until, VolumesHarness } from '../volumes/volumes.test.kit.js'

describe('config maps and secrets of a node’s pods', () => {
  let node: VolumesHarness
  beforeEach(async () => {
    node = await VolumesHarness.start()
  })
  afterEach(() => node.close())

  const withMap = (name: string) => [{ name: 'v', configMap: { name } }]
  const maps = () => node.admin.resource(ConfigMap).in(namespace)
  const value = async (name: string) => (await node.objects.configMap(namespace, name)).data?.k

  test('are readable with the permissions of a node', async () => {
    await node.configMap('m', { k: 'v' })
    await node.secret('s', { k: 'w' })
    const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }]
    const pod = await node.pod('p', withMap('m'), { containers: [{ name: 'c', image: 'i', env }] })
    await assert.rejects(node.objects.configMap(namespace, 'unrelated'), (error) => hasReason(error, 'Forbidden'))
    node.objects.registerPod(pod)
    assert.equal(await value('m'), 'v')
    const { data } = await node.objects.secret(namespace, 's')
    assert.equal(Buffer.from(data!.k!, 'base64').toString(), 'w')
  })

  test("that are missing give upstream's error, and are found as soon as they exist", async () => {
    const pod = await node.pod('p', [...withMap('nope'), { name: 's', secret: { secretName: 'none' } }])
    const told: string[] = []
    node.objects.onChange((uids) => told.push(...uids))
    node.objects.registerPod(pod)
    await assert.rejects(value('nope'), (error: Error) => {
      return hasReason(error, 'NotFound') && error.message === 'configmap "nope" not found'
    })
    await assert.rejects(node.objects.secret(namespace, 'none'), { message: 'secret "none" not found' })
    await node.configMap('nope', { k: 'here' })
    await until(() => told.length > 0)
    assert.deepEqual(told, [pod.metadata.uid])
    assert.equal(await value('nope'), 'here')
  })

  test('report changes to all pods that need them, and to no others', async () => {
    await node.configMap('m', { k: '1' })
    const [p, q] = [await node.pod('p', withMap('m')), await node.pod('q', withMap('m'))]
    const told: string[][] = []
    node.objects.onChange((uids) => told.push([...uids].sort()))
    for (const pod of [p, q, p]) node.objects.registerPod(pod)
    assert.equal(await value('m'), '1')
    assert.deepEqual(told, [], 'what is there already is no change')
    await maps().patch('m', 'merge', { data: { k: '2' } })
    await until(() => told.length > 0)
    assert.deepEqual(told, [[p.metadata.uid, q.metadata.uid].sort()])
    assert.equal(await value('m'), '2')
    node.objects.unregisterPod(p.metadata.uid!)
    await maps().patch('m', 'merge', { data: { k: '3' } })
    await until(() => told.length > 1)
    assert.deepEqual(told[1], [q.metadata.uid])
    node.objects.unregisterPod(q.metadata.uid!)
    await maps().patch('m', 'merge', { data: { k: '4' } })
    assert.equal(await value('m'), '4', 'it can still be asked for')
    assert.equal(told.length, 2)
  })

  test('that are immutable are read once', async () => {
    await node.configMap('m', { k: '1' }, { immutable: true })
    const pod = await node.pod('p', withMap('m'))
    node.objects.registerPod(pod)
    assert.equal(await value('m'), '1')
    await maps().delete('m')
    assert.equal(await value('m'), '1')
  })

  test('also cover references of ephemeral containers', async () => {
    await node.configMap('m', { k: '1' })
    const pod = await node.pod('p', withMap('m'))
    node.objects.registerPod(pod)
    const envFrom = [{ configMapRef: { name: 'late' } }]
    const debugging = [{ name: 'd', image: 'i', envFrom }] as unknown as typeof pod.spec.ephemeralContainers
    const told: string[] = []
    node.objects.onChange((uids) => told.push(...uids))
    await maps().create({ metadata: { name: 'late', namespace }, data: { k: 'x' } })
    const changed = { ...pod, spec: { ...pod.spec, ephemeralContainers: debugging } }
    await node.admin
      .resource(Pod)
      .in(namespace)
      .subresource('ephemeralcontainers')
      .patch('p', 'strategic', { spec: { ephemeralContainers: debugging } })
    node.objects.registerPod(changed)
    assert.equal(await value('late'), 'x')
    await maps().patch('late', 'merge', { data: { k: 'y' } })
    await until(() => told.length > 0)
    assert.deepEqual(told, [pod.metadata.uid])
  })
})
