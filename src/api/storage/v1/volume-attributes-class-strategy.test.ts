import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cellsOf } from '../../../schema/table.js'
import { createObject, updateObject } from '../../../testing/object-trial.js'
import { builtin } from '../../scheme.js'

const type = 'storage/v1.VolumeAttributesClass'
const good = { driverName: 'csi.example.com', parameters: { iops: '100' } }

describe('a volume attributes class', () => {
  test('names a driver and tells it something', () => {
    assert.deepEqual(createObject(type, good).errors, [])
    assert.deepEqual(createObject(type, { driverName: '' }).errors, [
      'driverName: Required value',
      'parameters: Required value: must contain at least one key/value pair',
    ])
  })

  test('never changes', () => {
    const { object: old } = createObject(type, good)
    assert.deepEqual(updateObject(type, { old, change: { metadata: { labels: { a: 'b' } } } }).errors, [])
    assert.deepEqual(updateObject(type, { old, change: { driverName: 'x', parameters: { iops: '200' } } }).errors, [
      'driverName: Forbidden: updates to driverName are forbidden.',
      'parameters: Forbidden: updates to parameters are forbidden.',
    ])
    const missing = 'driverName: Required value'
    assert.deepEqual(updateObject(type, { old, change: { driverName: '' } }).errors, [
      missing,
      'driverName: Forbidden: updates to driverName are forbidden.',
      missing,
    ])
  })

  test('shows its driver', () => {
    assert.equal(cellsOf(builtin.type(type), createObject(type, good).object as never, 0)[1], 'csi.example.com')
  })
})
