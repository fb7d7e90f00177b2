import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decide } from './decide.js'

const finalizer = 'kubernetes.io/pv-protection'
const deletionTimestamp = '2026-01-01T00:00:00Z'

function finalizers(metadata: object, isInUse = false): readonly string[] | undefined {
  return decide({ metadata, finalizer, isInUse })?.finalizers
}

describe('the protection finalizer', () => {
  test('is added to an object that lacks it, after other finalizers', () => {
    assert.deepEqual(finalizers({ finalizers: ['other'] }), ['other', finalizer])
    assert.equal(finalizers({ finalizers: [finalizer] }), undefined)
  })

  test('is removed from an object that is being deleted, unless it is in use', () => {
    const deleted = { deletionTimestamp, finalizers: ['other', finalizer] }
    assert.deepEqual(finalizers(deleted), ['other'])
    assert.equal(finalizers(deleted, true), undefined)
  })

  test('is not added to an object that is being deleted', () => {
    assert.equal(finalizers({ deletionTimestamp }), undefined)
  })
})
