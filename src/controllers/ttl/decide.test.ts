import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, ttlAnnotation } from './decide.js'

const node = { metadata: { name: 'a' } }

test('the TTL grows with the number of nodes, and one node more or less does not change it', () => {
  let boundary = 0
  const ttls = [1, 100, 101, 91, 90, 89, 600, 5000, 1800, 1799, 0].map((nodes) => {
    const decision = decide({ nodes, boundary, node })
    boundary = decision.boundary
    return decision.annotation
  })
  assert.deepEqual(ttls, ['0', '0', '15', '15', '15', '0', '30', '300', '300', '60', '0'])
})

test('a node that has the value, or is gone, is not written', () => {
  const annotated = { metadata: { name: 'a', annotations: { [ttlAnnotation]: '0' } } }
  assert.equal(decide({ nodes: 1, boundary: 0, node: annotated }).annotation, undefined)
  assert.deepEqual(decide({ nodes: 1, boundary: 1, node: undefined }), { boundary: 0, annotation: undefined })
})
