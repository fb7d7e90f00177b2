import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../../api/core/v1/pod.js'
import { openPluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import { runtimeClass } from './runtime-class.js'

const sandbox = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'sandbox' },
  handler: 'kata',
  overhead: { podFixed: { cpu: '250m' } },
  scheduling: { nodeSelector: { sandbox: 'yes' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] },
}

test('a runtime class brings its cost and its nodes', async () => {
  const harness = await openPluginHarness()
  await harness.store(sandbox)
  const given = pod('a', { runtimeClassName: 'sandbox', nodeSelector: { disk: 'ssd' } })
  const { spec } = (await harness.admit(harness.create(runtimeClass), { object: given })).object as unknown as Pod
  assert.deepEqual(spec.overhead, { cpu: '250m' })
  assert.deepEqual(spec.nodeSelector, { disk: 'ssd', sandbox: 'yes' })
  assert.deepEqual(spec.tolerations, [{ key: 'sandbox', operator: 'Exists' }])
})

test('what contradicts the class is rejected', async () => {
  const harness = await openPluginHarness()
  await harness.store(sandbox)
  const refusal = (spec: object) => rejectionOf(harness.admit(harness.create(runtimeClass), { object: pod('a', spec) }))
  assert.match(await refusal({ runtimeClassName: 'none' }), /pod rejected: RuntimeClass "none" not found/)
  assert.match(await refusal({ overhead: { cpu: '1' } }), /Pod Overhead set without corresponding RuntimeClass/)
  assert.match(
    await refusal({ runtimeClassName: 'sandbox', overhead: { cpu: '1' } }),
    /Overhead doesn't match RuntimeClass's/,
  )
  assert.match(
    await refusal({ runtimeClassName: 'sandbox', nodeSelector: { sandbox: 'no' } }),
    /conflict: runtimeClass.scheduling.nodeSelector\[sandbox\] = yes; pod.spec.nodeSelector\[sandbox\] = no/,
  )
})
