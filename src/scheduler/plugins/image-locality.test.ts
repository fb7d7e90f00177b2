import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { imageLocality } from './image-locality.js'
import { cluster, node, pod, scores, testPlugin } from './plugins.test.kit.js'

const megabyte = 1024 * 1024

function using(...images: readonly string[]) {
  return pod('p', { spec: { containers: images.map((image, i) => ({ name: `c${i}`, image })) } })
}

describe('ImageLocality scores a node that has the image of a pod', () => {
  // A single image: from 23 MB for nothing to 1000 MB for 100, scaled by the share of the nodes that have it.
  const cases: readonly (readonly [string, number, number])[] = [
    ['below the threshold', 23, 0],
    ['in the middle', 511, 49],
    ['at the maximum', 1000, 100],
    ['above the maximum', 4000, 100],
  ]
  for (const [title, size, expected] of cases)
    test(`by the size of the image: ${title}`, () => {
      const snapshot = cluster(node('a', { images: { 'web:1': size * megabyte } }))
      assert.deepEqual(scores(testPlugin(imageLocality), using('web:1'), snapshot), { a: expected })
    })

  test('lower if few nodes have the image', () => {
    const snapshot = cluster(node('a', { images: { 'web:1': 1000 * megabyte } }), node('b'), node('c'), node('d'))
    // A quarter of 1000 MB is 250 MB: (250 - 23) of (1000 - 23).
    assert.deepEqual(scores(testPlugin(imageLocality), using('web:1'), snapshot), { a: 23, b: 0, c: 0, d: 0 })
  })

  test('relative to the number of containers', () => {
    const images = { 'web:1': 500 * megabyte, 'log:1': 500 * megabyte }
    const snapshot = cluster(node('a', { images }))
    // 1000 of 2000 MB: (1000 - 23) of (2000 - 23).
    assert.deepEqual(scores(testPlugin(imageLocality), using('web:1', 'log:1'), snapshot), { a: 49 })
  })

  test('with the tag latest by default, also if the registry has a port', () => {
    const snapshot = cluster(node('a', { images: { 'host:5000/web:latest': 1000 * megabyte } }))
    assert.deepEqual(scores(testPlugin(imageLocality), using('host:5000/web'), snapshot), { a: 100 })
    assert.equal(scores(testPlugin(imageLocality), using('host:5000/web:2'), snapshot), undefined)
  })

  test('also for init containers and image volumes', () => {
    const snapshot = cluster(node('a', { images: { 'data:1': 1000 * megabyte } }))
    const volumes = [{ name: 'v', image: { reference: 'data:1' } }]
    assert.deepEqual(scores(testPlugin(imageLocality), pod('p', { spec: { volumes } }), snapshot), { a: 100 })
    const initContainers = [{ name: 'i', image: 'data:1' }]
    assert.deepEqual(scores(testPlugin(imageLocality), pod('p', { spec: { initContainers } }), snapshot), { a: 49 })
  })
})
