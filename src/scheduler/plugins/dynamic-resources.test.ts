import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dynamicResources } from './dynamic-resources.js'
import { cluster, node, pod, verdicts } from './plugins.test.kit.js'

test('a pod that claims devices is placed nowhere, and told so; others are left alone', () => {
  const world = cluster(node('n'))
  const claiming = pod('p', { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } })
  const no = 'claims of devices cannot be allocated by this scheduler (for good)'
  assert.deepEqual(verdicts(dynamicResources(), claiming, world), { n: no })
  assert.deepEqual(verdicts(dynamicResources(), pod('p'), world), { n: 'ok' })
})
