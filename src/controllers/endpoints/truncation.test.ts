import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EndpointSubset } from '../../api/core/v1/endpoints.js'
import { truncate } from './truncation.js'

function subset(ready: number, notReady: number): EndpointSubset {
  const list = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}` }))
  return {
    ...(ready > 0 && { addresses: list(ready) }),
    ...(notReady > 0 && { notReadyAddresses: list(notReady) }),
  }
}

function counts(subsets: readonly EndpointSubset[]) {
  return subsets.map(({ addresses = [], notReadyAddresses = [] }) => [addresses.length, notReadyAddresses.length])
}

describe('an Endpoints object', () => {
  for (const [what, subsets, expected] of [
    ['lists a thousand addresses as they are', [subset(400, 600)], [[400, 600]]],
    [
      'leaves out addresses that are not ready first',
      [subset(700, 100), subset(200, 300)],
      [
        [700, 25],
        [200, 75],
      ],
    ],
    [
      'then lists only ready ones, each subset in proportion to its size',
      [subset(900, 5), subset(300, 5)],
      [
        [750, 0],
        [250, 0],
      ],
    ],
    [
      'rounds the shares up, and the last subset gets the rest',
      [subset(0, 500), subset(0, 500), subset(0, 500)],
      [
        [0, 334],
        [0, 334],
        [0, 332],
      ],
    ],
  ] as const)
    test(what, () => {
      const { subsets: listed, isTruncated } = truncate(subsets)
      assert.deepEqual(counts(listed), expected)
      assert.equal(isTruncated, listed !== subsets)
    })
})
