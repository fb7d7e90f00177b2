import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { created } from '../../../testing/written-object.js'

function written(spec: { expirationSeconds: number } | Record<string, never>) {
  return created('authentication/v1.TokenRequest', { spec })
}

describe('token requests', () => {
  it('ask for an hour', () => {
    assert.equal((written({}).object.spec as { expirationSeconds: number }).expirationSeconds, 3600)
  })

  it('ask for ten minutes at least, and for 2^32 seconds at most', () => {
    assert.deepEqual(written({ expirationSeconds: 600 }).problems, [])
    assert.deepEqual(written({ expirationSeconds: 599 }).problems, [
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ])
    assert.deepEqual(written({ expirationSeconds: 2 ** 32 }).problems, [])
    assert.deepEqual(written({ expirationSeconds: 2 ** 32 + 1 }).problems, [
      'spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ])
  })
})
