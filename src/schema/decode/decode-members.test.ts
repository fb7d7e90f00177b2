import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { compiled, type FieldPlan, interpreted, seen } from './decode-members.js'
import { type Decode, decodeString, irregular } from './decode-scalars.js'

const plans: readonly FieldPlan[] = [
  { name: 'name', decode: decodeString, absent: () => '' },
  { name: 'note', decode: (input) => decodeString(input) || undefined, absent: undefined },
  { name: 'constructor', decode: decodeString, absent: undefined },
  { name: 'shadow', decode: decodeString, absent: () => null },
  { name: 'never', decode: decodeString, absent: () => undefined },
  { name: '7', decode: decodeString, absent: undefined },
  { name: 'key', decode: decodeString, absent: undefined },
]

const ways: readonly (readonly [string, Decode])[] = [
  ['interpreted', interpreted(plans)],
  ['compiled', compiled('test/v1.Thing', plans)],
]

/** What comes of decoding, in words, so that two ways can be compared: order and all. */
function outcome(decode: Decode, input: unknown): string {
  seen.members = 0
  try {
    return `${JSON.stringify(decode(input))} of ${seen.members}`
  } catch (error) {
    assert.equal(error, irregular)
    return 'irregular'
  }
}

for (const [way, decode] of ways) {
  describe(`decoding members, ${way}`, () => {
    it('puts them into the order of the fields, and counts them', () => {
      assert.equal(outcome(decode, { note: 'b', name: 'a' }), '{"name":"a","note":"b","shadow":null} of 2')
    })

    it('fills in what must stand, and drops what comes to nothing', () => {
      assert.equal(outcome(decode, { note: '', shadow: 's' }), '{"name":"","shadow":"s"} of 2')
      assert.equal(outcome(decode, null), 'undefined of 0')
    })

    it('passes over what is undefined, whatever its name', () => {
      assert.equal(outcome(decode, { name: 'a', note: undefined, nope: undefined }), '{"name":"a","shadow":null} of 1')
    })

    it('takes names that every object inherits as data', () => {
      assert.equal(outcome(decode, { constructor: 'c' }), '{"name":"","constructor":"c","shadow":null} of 1')
      assert.equal(outcome(decode, JSON.parse('{"__proto__":{"name":"p"}}')), 'irregular')
      assert.equal(outcome(decode, { toString: 'x' }), 'irregular')
    })

    it('leaves anything unusual to the exact way', () => {
      for (const input of [[], 'text', 5, true, undefined, { nope: 1 }, { name: 5 }])
        assert.equal(outcome(decode, input), 'irregular')
    })
  })
}

describe('both ways of decoding members', () => {
  const names = plans.map(({ name }) => name)
  const member = fc.tuple(
    fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...names) }, fc.constantFrom('nope', '__proto__', 'toString')),
    fc.oneof({ weight: 20, arbitrary: fc.string({ maxLength: 2 }) }, fc.constantFrom(null, undefined, 5, {})),
  )
  const anyInput = fc.uniqueArray(member, { selector: ([name]) => name }).map((entries) => Object.fromEntries(entries))

  it('come to the same', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const [first, second] = ways.map(([, decode]) => outcome(decode, input))
        assert.equal(second, first)
      }),
      { numRuns: 2000 },
    )
  })

  it('take any name for a field', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('"', '\\', '`${', '*/', '\u2028'))),
        (fields) => {
          const given = fields.filter((name) => name !== '__proto__')
          const strange = given.map((name) => ({ name, decode: decodeString, absent: undefined }))
          const input = Object.fromEntries(given.map((name) => [name, name]))
          assert.equal(outcome(compiled('test/v1.Strange', strange), input), outcome(interpreted(strange), input))
          assert.notEqual(outcome(interpreted(strange), input), 'irregular')
        },
      ),
    )
  })
})
