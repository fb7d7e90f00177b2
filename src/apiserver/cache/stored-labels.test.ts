import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { StoredLabelReader } from './stored-labels.js'

const labels = new StoredLabelReader()
const read = (value: unknown) => labels.read(Buffer.from(JSON.stringify(value)))

describe('the labels of a stored object', () => {
  test('are read from its metadata, whatever fields surround them', () => {
    const text = fc.string({ unit: 'binary' })
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const metadata = fc.record({
      name: optional(text),
      namespace: optional(text),
      uid: optional(text),
      generation: optional(fc.nat()),
      creationTimestamp: optional(text),
      deletionGracePeriodSeconds: optional(fc.nat()),
      labels: optional(fc.dictionary(text, text)),
      annotations: optional(fc.dictionary(text, text)),
      finalizers: optional(fc.array(text)),
    })
    const object = fc.record({ kind: text, metadata, spec: fc.jsonValue() })
    fc.assert(
      fc.property(object, (given) => {
        const expected = JSON.parse(JSON.stringify(given)).metadata.labels ?? {}
        assert.deepEqual({ ...read(given) }, { ...expected })
      }),
      { numRuns: 2000 },
    )
  })

  test('are not confused with other fields', () => {
    const template = { metadata: { labels: { a: 'b' } } }
    assert.deepEqual(read({ kind: 'A', metadata: { name: 'x' }, spec: { template } }), {})
    assert.deepEqual(read({ kind: 'A', metadata: { annotations: { labels: '{"a":"b"}' } }, spec: { template } }), {})
  })

  test('are shared by objects that have the same', () => {
    const labels = { app: 'web' }
    assert.equal(read({ metadata: { name: 'a', labels } }), read({ metadata: { name: 'b', labels } }))
  })

  test('are unknown if the JSON is not canonical', () => {
    for (const json of ['', '{}', 'k8s\0', '{"metadata":{', '{"metadata":{"x":1}}', '{"metadata":{"labels":null}}'])
      assert.equal(labels.read(Buffer.from(json)), undefined)
    assert.equal(labels.read(Buffer.from('{\n "metadata": {"labels":{"a":"b"}}}')), undefined)
    assert.equal(labels.read(Buffer.from('{"metadata":{ "labels":{"a":"b"}}}')), undefined)
  })
})
