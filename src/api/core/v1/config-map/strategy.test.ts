import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../../testing/objects/kind-harness.js'

const configMaps = new KindHarness('core/v1.ConfigMap')
const errorsOf = (body: object) => configMaps.create(body).errors
const sealed = 'Forbidden: field is immutable when `immutable` is set'

describe('a config map', () => {
  test('has text and bytes under keys that are valid file names', () => {
    assert.deepEqual(errorsOf({ data: { 'app.conf': 'a', _x: '', '.hidden': 'b' }, binaryData: { logo: 'AAEC' } }), [])
    assert.match(errorsOf({ data: { 'a/b': '' } })[0]!, /^data\[a\/b\]: Invalid value: "a\/b": a valid config key must/)
    assert.deepEqual(errorsOf({ binaryData: { '..': '' } }), [`binaryData[..]: Invalid value: "..": must not be '..'`])
    assert.deepEqual(errorsOf({ data: { '..x': '' } }), [`data[..x]: Invalid value: "..x": must not start with '..'`])
    assert.deepEqual(errorsOf({ data: { ['k'.repeat(254)]: '' } }), [
      `data[${'k'.repeat(254)}]: Invalid value: "${'k'.repeat(254)}": must be no more than 253 characters`,
    ])
  })

  test('has distinct keys', () => {
    assert.deepEqual(errorsOf({ data: { both: 'x' }, binaryData: { both: 'eA==' } }), [
      'data[both]: Invalid value: "both": duplicate of key present in binaryData',
    ])
  })

  test('is limited to one mebibyte of text and bytes together', () => {
    const half = 'é'.repeat(256 * 1024)
    const bytes = Buffer.alloc(512 * 1024).toString('base64')
    assert.deepEqual(errorsOf({ data: { half }, binaryData: { bytes } }), [])
    assert.deepEqual(errorsOf({ data: { half, more: 'x' }, binaryData: { bytes } }), [
      '[]: Too long: may not be more than 1048576 bytes',
    ])
  })

  test('cannot change if it is immutable', () => {
    const { object: old } = configMaps.create({ data: { a: '1' }, binaryData: { b: 'AA==' }, immutable: true })
    const change = (change: object) => configMaps.update(old, replaceFields(change)).errors
    assert.deepEqual(change({ metadata: { labels: { fine: 'yes' } } }), [])
    assert.deepEqual(change({ data: { a: '2' }, binaryData: {} }), [`data: ${sealed}`, `binaryData: ${sealed}`])
    assert.deepEqual(change({ immutable: false }), [`immutable: ${sealed}`])
    assert.deepEqual(change({ immutable: null, data: { '/': '' } }).slice(0, 2), [
      `immutable: ${sealed}`,
      `data: ${sealed}`,
    ])
  })

  test('can change until it becomes immutable', () => {
    const { object: old } = configMaps.create({ data: { a: '1' }, immutable: false })
    assert.deepEqual(configMaps.update(old, replaceFields({ data: { a: '2' }, immutable: true })).errors, [])
  })

  test('shows the number of keys', () => {
    const { object } = configMaps.create({ data: { a: '1', b: '2' }, binaryData: { c: 'AA==' } })
    assert.equal(configMaps.cells(object as never, 0)[1], 3)
  })
})
