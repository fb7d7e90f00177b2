import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { EndpointSubset } from '../../api/core/v1/endpoints.js'
import { repack } from './repack.js'

function subset(ready: readonly string[], notReady: readonly string[], ...ports: readonly number[]): EndpointSubset {
  return {
    ...(ready.length > 0 && { addresses: ready.map((ip) => ({ ip })) }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady.map((ip) => ({ ip })) }),
    ...(ports.length > 0 && { ports: ports.map((port) => ({ port, protocol: 'TCP' as const })) }),
  }
}

describe('the canonical form of subsets', () => {
  test('has addresses with the same ports in one subset', () => {
    assert.deepEqual(
      repack([subset(['b'], [], 80), subset(['a'], [], 80), subset(['a'], [], 90), subset(['b'], [], 90)]),
      [subset(['a', 'b'], [], 80, 90)],
    )
  })

  test('has addresses with other ports in subsets of their own', () => {
    assert.deepEqual(repack([subset(['a', 'b'], [], 80), subset(['a'], [], 90)]), [
      subset(['a', 'b'], [], 80),
      subset(['a'], [], 90),
    ])
  })

  test('counts an address that is both ready and not ready as not ready', () => {
    assert.deepEqual(repack([subset(['a'], [], 80), subset(['b'], ['a'], 80)]), [subset(['b'], ['a'], 80)])
  })

  test('keeps addresses without ports', () => {
    assert.deepEqual(repack([subset(['b'], []), subset(['a'], [])]), [subset(['a', 'b'], [])])
  })

  test('keeps the same address of two pods', () => {
    const address = (uid: string) => ({ ip: 'a', targetRef: { uid } })
    const of = (uid: string) => ({ addresses: [address(uid)], ports: [{ port: 80 }] })
    assert.deepEqual(repack([of('2'), of('1')]), [{ addresses: [address('1'), address('2')], ports: [{ port: 80 }] }])
  })

  test('does not depend on the order of the subsets, and is its own canonical form', () => {
    const ip = fc.constantFrom('a', 'b', 'c', 'd')
    const some = fc.tuple(fc.uniqueArray(ip), fc.uniqueArray(ip), fc.uniqueArray(fc.integer({ min: 1, max: 3 })))
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), (options) => {
        const subsets = options.map(([ready, notReady, ports]) => subset(ready, notReady, ...ports))
        const once = repack(subsets)
        assert.deepEqual(repack([...subsets].reverse()), once)
        assert.deepEqual(repack(once), once)
      }),
    )
  })
})
