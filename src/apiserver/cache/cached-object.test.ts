import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UntypedObject } from '../../api/kube-object.js'
import { keyOf, thing } from './cache.test.kit.js'
import { cachedObjectSettings, encoded, LazyCachedObject } from './cached-object.js'

const settings = cachedObjectSettings({ freeze: false })

const object = thing('a', 'x', '1')
const key = keyOf('a', 'x')

describe('a cached object', () => {
  test('is the same from JSON, from an object and from both', () => {
    const json = encoded(object)
    for (const source of [{ json }, { object }, { json, object }]) {
      const cached = new LazyCachedObject(key, 5, { ...source, settings })
      assert.equal(cached.object.metadata.resourceVersion, '5')
      assert.equal(Buffer.from(cached.bytes).toString(), `${JSON.stringify(cached.object)}\n`)
    }
  })

  test('is parsed and encoded once', () => {
    const cached = new LazyCachedObject(key, 5, { json: encoded(object), settings })
    assert.equal(cached.bytes, cached.bytes)
    assert.equal(cached.object, cached.object)
  })

  test('has the same content at another revision, before and after it was read', () => {
    const cached = new LazyCachedObject(key, 5, { json: encoded(object), settings })
    const expected = JSON.stringify({ ...new LazyCachedObject(key, 9, { object, settings }).object })
    assert.equal(Buffer.from(cached.at(9).bytes).toString(), `${expected}\n`)
    assert.equal(cached.object.metadata.resourceVersion, '5')
    assert.equal(JSON.stringify(cached.at(9).object), expected)
    assert.equal(Buffer.from(cached.at(9).bytes).toString(), `${expected}\n`)
  })

  test('does not retain the block in which its JSON was encoded', () => {
    const block = Buffer.concat([encoded(object), Buffer.alloc(1000)])
    const json = block.subarray(0, encoded(object).length)
    const cached = new LazyCachedObject(key, 5, { json, object, settings })
    cached.settle()
    block.fill(0)
    assert.deepEqual(cached.object, new LazyCachedObject(key, 5, { object, settings }).object)
  })

  test('that is frozen cannot be modified at any depth', () => {
    const cached = new LazyCachedObject(key, 5, {
      json: encoded(object),
      settings: cachedObjectSettings({ freeze: true }),
    })
    assert.throws(() => Object.assign(cached.object.metadata, { name: 'other' }), TypeError)
    assert.throws(() => Object.assign((cached.object as UntypedObject).data as object, { value: 'other' }), TypeError)
  })

  test('is read even if it is not stored in canonical form', () => {
    const { metadata, ...rest } = object
    const cached = new LazyCachedObject(key, 5, {
      json: Buffer.from(JSON.stringify({ metadata, ...rest }, null, 1)),
      settings,
    })
    assert.equal(cached.object.metadata.resourceVersion, '5')
    assert.deepEqual(JSON.parse(Buffer.from(cached.bytes).toString()), cached.object)
  })

  test('has its labels before and after it was parsed, however it is stored', () => {
    const labelled = { ...object, metadata: { ...object.metadata, labels: { app: 'web' } } }
    for (const indent of [0, 1]) {
      const json = Buffer.from(JSON.stringify(labelled, null, indent))
      for (const source of [{ json }, { object: labelled }, { json, object: labelled }]) {
        const cached = new LazyCachedObject(key, 5, { ...source, settings })
        assert.deepEqual({ ...cached.labels }, { app: 'web' })
        assert.deepEqual(cached.object.metadata.labels, { app: 'web' })
        assert.deepEqual({ ...cached.labels }, { app: 'web' })
      }
    }
    assert.deepEqual({ ...new LazyCachedObject(key, 5, { json: encoded(object), settings }).labels }, {})
  })

  test('whose bytes are not JSON names its key in the error', () => {
    const cached = new LazyCachedObject(key, 5, { json: Buffer.from('k8s\0protobuf'), settings })
    assert.throws(() => cached.object, new Error(`the value of ${key} is not JSON`))
  })
})
