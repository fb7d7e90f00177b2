import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from './declaration.js'
import { goStringText, goText, goTypeOf } from './go-text.js'
import { compareText } from './text-order.js'

const texts: readonly [JsonValue, string][] = [
  [
    { image: 'nginx:2', env: [{ name: 'A' }, { name: 'B', value: '' }] },
    'map[env:[map[name:A] map[name:B value:]] image:nginx:2]',
  ],
  [{}, 'map[]'],
  [[], '[]'],
  [[null, true, 'a b'], '[<nil> true a b]'],
  [{ '\u{1F600}': 1, '\uFFFD': 2 }, 'map[\uFFFD:2 \u{1F600}:1]'],
  [9007199254740991, '9007199254740991'],
  [0.5, '0.5'],
  [123456.75, '123456.75'],
  [1234567.5, '1.2345675e+06'],
  [0.00001, '1e-05'],
  [1e21, '1e+21'],
]
for (const [value, text] of texts) {
  test(`${JSON.stringify(value)} prints as ${text}`, () => assert.equal(goText(value), text))
}

test('%s prints values other than strings with their type', () => {
  const value = { s: 'x', i: 5, f: 1.5, b: true, n: null }
  assert.equal(goStringText(value), 'map[b:%!s(bool=true) f:%!s(float64=1.5) i:%!s(int64=5) n:%!s(<nil>) s:x]')
})

test('types have the names of Go', () => {
  const values: readonly JsonValue[] = ['', 1, 1.5, true, [], {}, null]
  const names = ['string', 'int64', 'float64', 'bool', '[]interface {}', 'map[string]interface {}', '%!s(<nil>)']
  assert.deepEqual(values.map(goTypeOf), names)
})

test('text is ordered by its UTF-8 bytes', () => {
  assert.deepEqual(['b', '\u{1F600}', 'a', '\uFFFD', 'B'].sort(compareText), ['B', 'a', 'b', '\uFFFD', '\u{1F600}'])
})
