import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../../api/core/v1/pod.js'
import { openPluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import { limitRanger } from './plugin.js'

function range(name: string, ...limits: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name, namespace: 'here' }, spec: { limits } }
}

function sized(resources: object): object {
  return pod('a', { containers: [{ name: 'main', resources }] })
}

test('a limit range fills in what containers do not say, and tells', async () => {
  const harness = await openPluginHarness()
  await harness.store(
    range('r', { type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } }),
  )
  const { object } = await harness.admit(harness.create(limitRanger), { object: sized({ limits: { memory: '2Gi' } }) })
  const { spec, metadata } = object as unknown as Pod
  assert.deepEqual(spec.containers[0]!.resources, { limits: { memory: '2Gi', cpu: '1' }, requests: { cpu: '100m' } })
  assert.equal(
    metadata.annotations?.['kubernetes.io/limit-ranger'],
    'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
  )
})

test('containers and pods that are too large or too small are rejected with every reason', async () => {
  const harness = await openPluginHarness()
  await harness.store(
    range(
      'r',
      { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '4' } },
      { type: 'Pod', max: { memory: '1Gi' } },
    ),
  )
  const admit = (resources: object) =>
    rejectionOf(harness.admit(harness.create(limitRanger), { object: sized(resources) }))
  assert.equal(
    await admit({ requests: { cpu: '10m' }, limits: { cpu: '2', memory: '2Gi' } }),
    'pods "a" is forbidden: [minimum cpu usage per Container is 100m, but request is 10m, maximum cpu usage per Container is 1, but limit is 2, cpu max limit to request ratio per Container is 4, but provided ratio is 200.000000, maximum memory usage per Pod is 1Gi, but limit is 2Gi]',
  )
  assert.match(
    await admit({ requests: { cpu: '100m' }, limits: { cpu: '100m' } }),
    /memory usage per Pod is 1Gi. {2}No limit is specified/,
  )
})

test('claims must lie within the range', async () => {
  const harness = await openPluginHarness()
  await harness.store(range('r', { type: 'PersistentVolumeClaim', max: { storage: '5Gi' }, min: { storage: '1Gi' } }))
  const claim = (storage: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', namespace: 'here' },
    spec: { resources: { requests: { storage } } },
    status: {},
  })
  const plugin = harness.create(limitRanger)
  await harness.admit(plugin, { object: claim('2Gi') })
  assert.match(
    await rejectionOf(harness.admit(plugin, { object: claim('6Gi') })),
    /maximum storage usage .* is 5Gi, but request is 6Gi/,
  )
  assert.match(
    await rejectionOf(harness.admit(plugin, { object: claim('1Mi') })),
    /minimum storage usage .* is 1Gi, but request is 1Mi/,
  )
})
