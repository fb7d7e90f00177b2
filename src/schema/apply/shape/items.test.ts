import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../declaration.js'
import { withoutMember } from '../../json-value.js'
import { keyElement } from '../field-set/path-element.js'
import { distinctElements, itemElement } from './items.js'
import { anyShape, type ListShape } from './shape.js'

const list: ListShape = {
  is: 'list',
  of: anyShape,
  items: 'keyed',
  keys: [
    { name: 'port', label: '"port":' },
    { name: 'protocol', label: '"protocol":', default: 'TCP' },
  ],
  keyNames: ['port', 'protocol'],
}
const value = fc.oneof(fc.constantFrom<JsonValue>(1, '1', -0, '', null, true, [1], { a: 1 }), fc.string())
const item = fc.record({ port: value, protocol: value, name: value }, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>

test('the element of an item contains its keys or their defaults, on repeated calls too', () => {
  fc.assert(
    fc.property(item, (given) => {
      const keys = withoutMember({ protocol: 'TCP', ...given }, 'name')
      for (let time = 0; time < 2; time++) assert.equal(itemElement(list, given), keyElement(keys))
    }),
  )
})

test('elements are correct when they exceed the size of the cache', () => {
  for (let port = 0; port < 10_000; port++)
    assert.equal(itemElement(list, { port }), `k:{"port":${port},"protocol":"TCP"}`)
  const long = 'x'.repeat(600_000)
  for (let time = 0; time < 3; time++)
    assert.equal(itemElement(list, { port: long }), keyElement({ port: long, protocol: 'TCP' }))
})

test('items are distinct if no two have the same keys, for short and long lists', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 20 }), (ports) => {
      const elements = distinctElements(
        list,
        ports.map((port, place) => ({ port, name: `p${place}` })),
      )
      const all = ports.map((port) => keyElement({ port, protocol: 'TCP' }))
      assert.deepEqual(elements, new Set(ports).size === ports.length ? all : undefined)
    }),
  )
})
