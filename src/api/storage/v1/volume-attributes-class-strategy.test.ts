import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindTrial, replacing } from '../../../testing/objects/kind-harness.js'

const volumeAttributesClasses = new KindTrial('storage/v1.VolumeAttributesClass')
const good = { driverName: 'csi.example.com', parameters: { iops: '100' } }

describe('a volume attributes class', () => {
  test('names a driver and tells it something', () => {
    assert.deepEqual(volumeAttributesClasses.created(good).errors, [])
    assert.deepEqual(volumeAttributesClasses.created({ driverName: '' }).errors, [
      'driverName: Required value',
      'parameters: Required value: must contain at least one key/value pair',
    ])
  })

  test('never changes', () => {
    const { object: old } = volumeAttributesClasses.created(good)
    assert.deepEqual(volumeAttributesClasses.updated(old, replacing({ metadata: { labels: { a: 'b' } } })).errors, [])
    assert.deepEqual(
      volumeAttributesClasses.updated(old, replacing({ driverName: 'x', parameters: { iops: '200' } })).errors,
      [
        'driverName: Forbidden: updates to driverName are forbidden.',
        'parameters: Forbidden: updates to parameters are forbidden.',
      ],
    )
    const missing = 'driverName: Required value'
    assert.deepEqual(volumeAttributesClasses.updated(old, replacing({ driverName: '' })).errors, [
      missing,
      'driverName: Forbidden: updates to driverName are forbidden.',
      missing,
    ])
  })

  test('shows its driver', () => {
    assert.equal(
      volumeAttributesClasses.cells(volumeAttributesClasses.created(good).object as never, 0)[1],
      'csi.example.com',
    )
  })
})
