import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { thing } from './cache.test.kit.js'
import { JsonBlocks } from './json-blocks.js'

describe('the JSON of pending puts', () => {
  test('stays unchanged while more is encoded, with any characters and any size', () => {
    const letters = fc.constantFrom('a', 'é', '\u{1f30d}', '\ud800', '"', '\n')
    const text = fc.tuple(letters, fc.integer({ min: 0, max: 9000 })).map(([letter, count]) => letter.repeat(count))
    fc.assert(
      fc.property(fc.array(text, { minLength: 10, maxLength: 60 }), (texts) => {
        const blocks = new JsonBlocks()
        const objects = texts.map((value) => thing('a', 'x', value))
        const made = objects.map((object) => blocks.encode(object))
        for (const [i, object] of objects.entries())
          assert.equal(Buffer.from(made[i]!).toString(), `${JSON.stringify(object)}\n`)
      }),
      { numRuns: 50 },
    )
  })

  test('shares a block, unless it is large', () => {
    const blocks = new JsonBlocks()
    const [one, other, large] = ['1', '2', 'x'.repeat(50_000)].map((value) => blocks.encode(thing('a', 'x', value)))
    assert.equal(one!.buffer, other!.buffer)
    assert.notEqual(one!.buffer, large!.buffer)
  })
})
