import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { KubeObject } from '../../api/kube-object.js'
import { spliceVersion, withoutVersion, withVersion } from './resource-version.js'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('"', '\\', '\\"', '"uid":"', '\\\\'),
)

/** Metadata in canonical order, with any of its members missing. */
const metadata = fc.record(
  {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    generation: fc.nat(),
    creationTimestamp: fc.oneof(fc.constant(null), text),
    labels: fc.dictionary(text, text, { maxKeys: 3 }),
  },
  { requiredKeys: [] },
)

const objects = fc.record({
  kind: text,
  apiVersion: text,
  metadata,
  data: fc.dictionary(text, fc.oneof(text, fc.constant({ metadata: { name: 'x' } }))),
}) as unknown as fc.Arbitrary<KubeObject>

const json = (object: KubeObject) => Buffer.from(JSON.stringify(object))

describe('the resource version of an object', () => {
  test('is inserted into the JSON as in canonical form', () =>
    fc.assert(
      fc.property(objects, fc.nat(), (object, revision) => {
        const spliced = spliceVersion(json(object), revision)
        assert.equal(Buffer.from(spliced!).toString(), JSON.stringify(withVersion(object, revision)))
      }),
      { numRuns: 2000 },
    ))

  test('replaces the one that is there', () =>
    fc.assert(
      fc.property(objects, fc.nat(), fc.nat(), (object, one, other) => {
        const before = withVersion(object, one)
        assert.equal(
          Buffer.from(spliceVersion(json(before), other)!).toString(),
          JSON.stringify(withVersion(object, other)),
        )
        assert.equal(JSON.stringify(withVersion(before, other)), JSON.stringify(withVersion(object, other)))
        assert.equal(JSON.stringify(withoutVersion(before)), JSON.stringify(object))
      }),
    ))

  test('comes after the identifying fields and before all others', () => {
    const object = { kind: 'A', apiVersion: 'v1', metadata: { name: 'a', uid: 'u', generation: 1 } }
    assert.equal(
      JSON.stringify(withVersion(object as unknown as KubeObject, 7).metadata),
      '{"name":"a","uid":"u","resourceVersion":"7","generation":1}',
    )
  })

  test('is not inserted if there is no readable metadata', () => {
    for (const odd of ['', 'no JSON', '{"kind":"A"}', '{"metadata":7}', '{"metadata":{', '{"metadata":{"name":"a"'])
      assert.equal(spliceVersion(Buffer.from(odd), 1), undefined, odd)
  })
})
