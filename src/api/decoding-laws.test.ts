/** The fast path and the exact path of decoding must give the same result for every kind. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { decodeJson } from '../schema/decode/decoder.js'
import type { ObjectType } from '../schema/model.js'
import { arbitraryObject } from '../testing/objects/arbitrary-objects.js'
import { responseObjects } from '../testing/objects/recorded-objects.js'
import { builtin, schemeWith } from './scheme.js'

const exact = schemeWith(new Set(), { fastDecoding: false })

/** More than the number of objects after which a decoder is compiled. */
const many = 1100

function decoded(type: ObjectType, text: string): string {
  try {
    return JSON.stringify(decodeJson(type, Buffer.from(text), 'Warn'))
  } catch (error) {
    return String(error)
  }
}

describe('the fast path and the exact path decode', () => {
  for (const type of builtin.resources)
    test(`${type.name} alike`, () => {
      const simple = exact.type(type.name)
      fc.assert(
        fc.property(arbitraryObject(type), (object) => {
          const text = JSON.stringify(object)
          assert.equal(decoded(type, text), decoded(simple, text))
        }),
        { numRuns: 30 },
      )
    })

  test('recorded objects alike, with compiled decoders as well', () => {
    for (const [type, objects] of responseObjects()) {
      const simple = exact.type(type.name)
      for (const object of objects) {
        const text = JSON.stringify(object)
        for (let i = 0; i < many / objects.length; i++) decoded(type, text)
        assert.equal(decoded(type, text), decoded(simple, text))
      }
    }
  })
})
