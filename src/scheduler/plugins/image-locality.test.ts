import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { imageLocality } from './image-locality.js'
import { cluster, node, pod, scores } from './plugins.test.kit.js'

const megabyte = 1024 * 1024

function using(...images: readonly string[]) {
  return pod('p', { spec: { containers: images.map((image, i) => ({ name: `c${i}`, image })) } })
}

describe('a node that has the image of a pod', () => {
  // A single image: from 23 MB for nothing to 1000 MB for 100, scaled by the share of the nodes that have it.
  const cases: readonly (readonly [string, number, number])[] = [
    ['too small to matter', 23, 0],
    ['of the middle', 511, 49],
    ['as large as can be', 1000, 100],
    ['larger than can be', 4000, 100],
  ]
  for (const [title, size, expected] of cases)
    test(`scores by its size: ${title}`, () => {
      const world = cluster(node('a', { images: { 'web:1': size * megabyte } }))
      assert.deepEqual(scores(imageLocality(), using('web:1'), world), { a: expected })
    })

  test('scores less if few nodes have it', () => {
    const world = cluster(node('a', { images: { 'web:1': 1000 * megabyte } }), node('b'), node('c'), node('d'))
    // A quarter of 1000 MB is 250 MB: (250 - 23) of (1000 - 23).
    assert.deepEqual(scores(imageLocality(), using('web:1'), world), { a: 23, b: 0, c: 0, d: 0 })
  })

  test('must have more if there are more containers', () => {
    const images = { 'web:1': 500 * megabyte, 'log:1': 500 * megabyte }
    const world = cluster(node('a', { images }))
    // 1000 of 2000 MB: (1000 - 23) of (2000 - 23).
    assert.deepEqual(scores(imageLocality(), using('web:1', 'log:1'), world), { a: 49 })
  })

  test('has the latest where no tag is given, but not because of the port of a registry', () => {
    const world = cluster(node('a', { images: { 'host:5000/web:latest': 1000 * megabyte } }))
    assert.deepEqual(scores(imageLocality(), using('host:5000/web'), world), { a: 100 })
    assert.equal(scores(imageLocality(), using('host:5000/web:2'), world), undefined)
  })

  test('may have it for an init container or as a volume', () => {
    const world = cluster(node('a', { images: { 'data:1': 1000 * megabyte } }))
    const volumes = [{ name: 'v', image: { reference: 'data:1' } }]
    assert.deepEqual(scores(imageLocality(), pod('p', { spec: { volumes } }), world), { a: 100 })
    const initContainers = [{ name: 'i', image: 'data:1' }]
    assert.deepEqual(scores(imageLocality(), pod('p', { spec: { initContainers } }), world), { a: 49 })
  })
})
