import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../testing/objects/kind-harness.js'

const volumeAttributesClasses = new KindHarness('storage/v1.VolumeAttributesClass')
const good = { driverName: 'csi.example.com', parameters: { iops: '100' } }

describe('a volume attributes class', () => {
  test('names a driver and tells it something', () => {
    assert.deepEqual(volumeAttributesClasses.create(good).errors, [])
    assert.deepEqual(volumeAttributesClasses.create({ driverName: '' }).errors, [
      'driverName: Required value',
      'parameters: Required value: must contain at least one key/value pair',
    ])
  })

  test('never changes', () => {
    const { object: old } = volumeAttributesClasses.create(good)
    assert.deepEqual(
      volumeAttributesClasses.update(old, replaceFields({ metadata: { labels: { a: 'b' } } })).errors,
      [],
    )
    assert.deepEqual(
      volumeAttributesClasses.update(old, replaceFields({ driverName: 'x', parameters: { iops: '200' } })).errors,
      [
        'driverName: Forbidden: updates to driverName are forbidden.',
        'parameters: Forbidden: updates to parameters are forbidden.',
      ],
    )
    const missing = 'driverName: Required value'
    assert.deepEqual(volumeAttributesClasses.update(old, replaceFields({ driverName: '' })).errors, [
      missing,
      'driverName: Forbidden: updates to driverName are forbidden.',
      missing,
    ])
  })

  test('shows its driver', () => {
    assert.equal(
      volumeAttributesClasses.cells(volumeAttributesClasses.create(good).object as never, 0)[1],
      'csi.example.com',
    )
  })
})
