import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MalformedMessageError } from '../base/protobuf/reader.js'
import { decodeValue } from '../schema/decode/decoder.js'
import { DecodeError } from '../schema/decode/inspect.js'
import { canonicalObject } from '../schema/encode.js'
import type { LinkedType, ObjectType } from '../schema/model.js'
import { decodeProtobuf } from '../schema/protobuf/decode.js'
import { encodeProtobuf } from '../schema/protobuf/encode.js'
import { hasProtobuf, isWrappedList } from '../schema/protobuf/layout.js'
import { arbitraryObject } from '../testing/objects/arbitrary-objects.js'
import { builtin } from './scheme.js'

const kinds = [...builtin.types.values()].filter((type) => type.kind && hasProtobuf(type))

/** Protobuf cannot encode empty lists and maps: required ones become null, as upstream does. */
function withoutEmpty(type: ObjectType, object: Record<string, unknown>): Record<string, unknown> {
  return canonicalObject(type, emptied({ is: 'object', object: type }, object) as Record<string, unknown>)
}

function emptied(type: LinkedType, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (type.is === 'object') return emptiedFields(type.object, value as Record<string, unknown>)
  if (type.is === 'list') return (value as unknown[]).map((element) => emptied(type.of, element))
  if (type.is !== 'map') return value
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, emptied(type.of, element)]))
}

function emptiedFields(type: ObjectType, value: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const field of type.fields) {
    const { name, type: fieldType } = field
    const inner = emptied(fieldType, value[name])
    const isRepeated = (fieldType.is === 'list' && !isWrappedList(field)) || fieldType.is === 'map'
    const isEmpty = isRepeated && Object.keys(inner ?? {}).length === 0
    result[name] = isEmpty && inner ? null : inner
  }
  return result
}

for (const type of kinds) {
  test(`${type.name} is unchanged after encoding and decoding`, () => {
    fc.assert(
      fc.property(arbitraryObject(type), (given) => {
        const object = canonicalObject(type, given)
        const read = decodeValue(type, decodeProtobuf(type, encodeProtobuf(type, object)), 'Strict').object
        assert.equal(JSON.stringify(read), JSON.stringify(withoutEmpty(type, object)))
      }),
      { numRuns: 30 },
    )
  })
}

test('any bytes are decoded or rejected', () => {
  const read = (type: ObjectType, bytes: Uint8Array) => {
    try {
      decodeValue(type, decodeProtobuf(type, bytes), 'Strict')
    } catch (error) {
      assert.ok(error instanceof MalformedMessageError || error instanceof DecodeError, error as Error)
    }
  }
  fc.assert(fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 200 }), read), { numRuns: 3_000 })
  const changed = fc
    .constantFrom(...kinds)
    .chain((type) =>
      fc.tuple(fc.constant(type), arbitraryObject(type), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 })),
    )
  fc.assert(
    fc.property(changed, ([type, given, changes]) => {
      const bytes = encodeProtobuf(type, canonicalObject(type, given))
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte
      read(type, bytes)
    }),
    { numRuns: 2_000 },
  )
})
