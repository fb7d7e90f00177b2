import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const tokenRequests = new KindHarness('authentication/v1.TokenRequest')
function written(spec: { expirationSeconds: number } | Record<string, never>) {
  return tokenRequests.create({ spec })
}

describe('token requests', () => {
  it('ask for an hour', () => {
    assert.equal((written({}).object.spec as { expirationSeconds: number }).expirationSeconds, 3600)
  })

  it('ask for ten minutes at least, and for 2^32 seconds at most', () => {
    assert.deepEqual(written({ expirationSeconds: 600 }).errors, [])
    assert.deepEqual(written({ expirationSeconds: 599 }).errors, [
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ])
    assert.deepEqual(written({ expirationSeconds: 2 ** 32 }).errors, [])
    assert.deepEqual(written({ expirationSeconds: 2 ** 32 + 1 }).errors, [
      'spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ])
  })
})
