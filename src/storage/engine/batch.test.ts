import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareUtf8 } from './batch.js'

/** From all regions that UTF-8 and UTF-16 sort differently, with long common prefixes. */
const key = fc.string({
  unit: fc.constantFrom('/', 'a', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
  maxLength: 6,
})

describe('the order of keys', () => {
  test('is that of their UTF-8 bytes', () =>
    fc.assert(
      fc.property(key, key, (one, other) => {
        const expected = Buffer.compare(Buffer.from(one), Buffer.from(other))
        assert.equal(Math.sign(compareUtf8(one, other)), expected)
      }),
      { numRuns: 5000 },
    ))
})
