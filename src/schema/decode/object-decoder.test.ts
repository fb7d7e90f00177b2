import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { compiledObjectDecoder } from './compiled-object-decoder.js'
import { counter, type FieldPlan, interpretedObjectDecoder, type ObjectDecoder } from './object-decoder.js'
import { type Decode, decodeString, irregular } from './scalar-decoders.js'

const plans: readonly FieldPlan[] = [
  { name: 'name', decode: decodeString, absent: () => '' },
  { name: 'note', decode: (input) => decodeString(input) || undefined, absent: undefined },
  { name: 'constructor', decode: decodeString, absent: undefined },
  { name: 'shadow', decode: decodeString, absent: () => null },
  { name: 'never', decode: decodeString, absent: () => undefined },
  { name: '7', decode: decodeString, absent: undefined },
  { name: 'key', decode: decodeString, absent: undefined },
]

const implementations: readonly (readonly [string, ObjectDecoder])[] = [
  ['interpreted', interpretedObjectDecoder],
  ['compiled', compiledObjectDecoder],
]

/** The result of decoding as text, including the order of the members, so that implementations can be compared. */
function resultOf(decode: Decode, input: unknown): string {
  counter.members = 0
  try {
    const object = decode(input)
    if (object !== undefined) assert.equal(Object.getPrototypeOf(object), Object.prototype)
    return `${JSON.stringify(object)} of ${counter.members}`
  } catch (error) {
    assert.equal(error, irregular)
    return 'irregular'
  }
}

for (const [name, implementation] of implementations) {
  const decode = implementation('test/v1.Thing', plans)

  describe(`the ${name} object decoder`, () => {
    it('puts members into the order of the fields, and counts them', () => {
      assert.equal(resultOf(decode, { note: 'b', name: 'a' }), '{"name":"a","note":"b","shadow":null} of 2')
    })

    it('adds absent fields that must not be omitted, and drops empty ones', () => {
      assert.equal(resultOf(decode, { note: '', shadow: 's' }), '{"name":"","shadow":"s"} of 2')
      assert.equal(resultOf(decode, null), 'undefined of 0')
    })

    it('skips members that are undefined, whatever their name', () => {
      assert.equal(resultOf(decode, { name: 'a', note: undefined, nope: undefined }), '{"name":"a","shadow":null} of 1')
    })

    it('treats names that every object inherits as data', () => {
      assert.equal(resultOf(decode, { constructor: 'c' }), '{"name":"","constructor":"c","shadow":null} of 1')
      assert.equal(resultOf(decode, JSON.parse('{"__proto__":{"name":"p"}}')), 'irregular')
      assert.equal(resultOf(decode, { toString: 'x' }), 'irregular')
    })

    it('decodes a field named __proto__ as a member, and leaves the prototype alone', () => {
      const withProto = implementation('test/v1.Thing', [
        { name: '__proto__', decode: (input) => input, absent: () => ({ made: 'up' }) },
      ])
      assert.equal(resultOf(withProto, JSON.parse('{"__proto__":{"a":1}}')), '{"__proto__":{"a":1}} of 1')
      assert.equal(resultOf(withProto, {}), '{"__proto__":{"made":"up"}} of 0')
    })

    it('rejects irregular input', () => {
      for (const input of [[], 'text', 5, true, undefined, { nope: 1 }, { name: 5 }])
        assert.equal(resultOf(decode, input), 'irregular')
    })
  })
}

describe('the compiled object decoder', () => {
  it('accepts any type name, and runs no code from it', () => {
    const hostile = fc.constantFrom(
      '\n',
      '\r',
      '\u2028',
      '\u2029',
      '}',
      '*/',
      "'",
      '"',
      '`',
      'globalThis.injected = true',
      ';',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), hostile)), (parts) => {
        const decode = compiledObjectDecoder(parts.join(''), plans)
        assert.equal(resultOf(decode, { name: 'a' }), '{"name":"a","shadow":null} of 1')
        assert.equal('injected' in globalThis, false)
      }),
    )
  })
})

describe('both object decoders', () => {
  const decoders = implementations.map(([, implementation]) => implementation('test/v1.Thing', plans))
  const names = plans.map(({ name }) => name)
  const member = fc.tuple(
    fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...names) }, fc.constantFrom('nope', '__proto__', 'toString')),
    fc.oneof({ weight: 20, arbitrary: fc.string({ maxLength: 2 }) }, fc.constantFrom(null, undefined, 5, {})),
  )
  const anyInput = fc.uniqueArray(member, { selector: ([name]) => name }).map((entries) => Object.fromEntries(entries))

  it('give the same result', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const [interpreted, compiled] = decoders.map((decode) => resultOf(decode, input))
        assert.equal(compiled, interpreted)
      }),
      { numRuns: 2000 },
    )
  })

  it('accept any field name', () => {
    const anyName = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '`${', '*/', '\u2028', '__proto__', 'constructor'))
    fc.assert(
      fc.property(fc.uniqueArray(anyName), (fields) => {
        const strange = fields.map((name) => ({ name, decode: decodeString, absent: undefined }))
        const input = Object.fromEntries(fields.map((name) => [name, name]))
        const [interpreted, compiled] = implementations.map(([, implementation]) =>
          resultOf(implementation('test/v1.Strange', strange), input),
        )
        assert.equal(interpreted, `${JSON.stringify(input)} of ${fields.length}`)
        assert.equal(compiled, interpreted)
      }),
    )
  })
})
