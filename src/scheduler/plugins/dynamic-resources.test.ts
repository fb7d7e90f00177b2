import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dynamicResources } from './dynamic-resources.js'
import { cluster, filterResults, node, pod, testPlugin } from './plugins.test.kit.js'

test('DynamicResources rejects pods with claims, and no others', () => {
  const snapshot = cluster(node('n'))
  const claiming = pod('p', { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } })
  const no = 'claims of devices cannot be allocated by this scheduler (unresolvable)'
  assert.deepEqual(filterResults(testPlugin(dynamicResources), claiming, snapshot), { n: no })
  assert.deepEqual(filterResults(testPlugin(dynamicResources), pod('p'), snapshot), { n: 'ok' })
})
