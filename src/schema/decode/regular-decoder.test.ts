import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ref, string } from '../fields.js'
import type { ObjectType } from '../model.js'
import { schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { maximumJsonDepth } from './json-reader.js'
import { decodeRegular } from './regular-decoder.js'

/** More than the number of objects after which a decoder is compiled. */
const many = 2000

describe('a type of which many objects have been decoded', () => {
  it('can be nested in itself to the maximum depth of a text, even with many fields', () => {
    const words = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`word${i}`, string(i + 2)]))
    const Doll = schema('toys/v1.Doll', { optional: { inner: ref<object>(1, 'toys/v1.Doll'), ...words } })
    const doll = new Scheme({ declarations: [Doll], groups: [] }).type('toys/v1.Doll')
    repeatedly(doll, { word0: 'a' })
    let outermost: object = {}
    for (let depth = 1; depth < maximumJsonDepth; depth++) outermost = { inner: outermost }
    assert.equal(decodeRegular(doll, outermost).members, maximumJsonDepth - 1)
  })

  it('yields a new object each time', () => {
    const Boat = schema('toys/v1.Boat', { required: { hull: ref<object>(1, 'toys/v1.Hull') } })
    const Hull = schema('toys/v1.Hull', { required: { name: string(1) }, optional: { wood: string(2) } })
    const boat = new Scheme({ declarations: [Boat, Hull], groups: [] }).type('toys/v1.Boat')
    for (const given of [{}, { hull: { wood: 'oak' } }, { hull: { name: 'a', wood: 'oak' } }]) {
      repeatedly(boat, given)
      const [one, other] = [decodeRegular(boat, given).object, decodeRegular(boat, given).object]
      assert.deepEqual(one, other)
      assert.notEqual(one.hull, other.hull)
      assert.notEqual(one.hull, (given as typeof one).hull)
    }
  })
})

function repeatedly(type: ObjectType, input: object): void {
  for (let i = 0; i < many; i++) decodeRegular(type, input)
}
