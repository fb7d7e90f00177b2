import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { arbitraryObject } from '../../testing/objects/arbitrary-objects.js'
import { encode } from '../encode.js'
import {
  bool,
  bytes,
  double,
  either,
  enumeration,
  field,
  int32,
  int64,
  intOrString,
  json,
  list,
  listOf,
  map,
  microTime,
  oneOf,
  quantity,
  ref,
  string,
  time,
} from '../fields.js'
import type { ObjectType } from '../model.js'
import { kind, schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { decodeJson, decodeValue, type FieldValidation } from './decoder.js'

const Color = enumeration('paint/v1.Color', ['Red', 'Blue'])

const Tin = kind('paint/v1.Tin', {
  required: { name: string(1), labels: list(2, string) },
  optional: {
    count: int32(3),
    kept: int32(4, { keepZero: true }),
    opened: bool(5),
    big: int64(6),
    ratio: double(7),
    data: map(8, bytes),
    made: time(9, { always: true }),
    sealed: microTime(10),
    size: quantity(11),
    port: intOrString(12),
    extra: json(13),
    color: oneOf(14, Color),
    lid: ref<object>(15, 'paint/v1.Lid'),
    layers: list(16, ref<object>('paint/v1.Layer')),
    base: ref<object>(17, 'paint/v1.Layer', { always: true }),
    marks: map(18, string),
    choice: field(19, either<unknown>('paint/v1.Choice', bool, listOf(string), ref<object>('paint/v1.Lid'))),
    nothing: ref<object>(20, 'paint/v1.Lid', { always: 'null' }),
    constructor: string(21),
  },
})
const Lid = schema('paint/v1.Lid', {
  optional: { tight: bool(1, { keepZero: true }), inner: ref<object>(2, 'paint/v1.Lid') },
})
const Layer = schema('paint/v1.Layer', { required: { thickness: int32(1) }, optional: { note: string(2) } })

/** The exact path, the fast path, and the fast path after so many objects that decoders are compiled. */
const modes = {
  exactly: tinType({ fastDecoding: false }),
  fast: tinType({}),
  'fast and compiled': warmedUp(tinType({})),
}

function tinType(options: { readonly fastDecoding?: boolean }): ObjectType {
  return new Scheme({ declarations: [Tin, Lid, Layer], groups: [], ...options }).type('paint/v1.Tin')
}

function warmedUp(type: ObjectType): ObjectType {
  const text = Buffer.from('{"layers":[{}],"base":{},"lid":{}}')
  for (let i = 0; i < 2000; i++) decodeJson(type, text, 'Strict')
  return type
}

/** The fields that are never omitted. */
const always = { name: '', labels: null, made: null, base: { thickness: 0 }, nothing: null }

for (const [mode, tin] of Object.entries(modes)) {
  function decoded(text: string, validation: FieldValidation = 'Strict'): unknown {
    return decodeJson(tin, Buffer.from(text), validation).object
  }

  describe(`decoding, ${mode}`, () => {
    it('adds fields that must not be omitted, and drops zeros that count as absent', () => {
      assert.deepEqual(decoded('{"name":"a","count":0,"kept":0,"opened":false,"lid":{},"marks":{},"layers":[]}'), {
        ...always,
        name: 'a',
        kept: 0,
        lid: {},
      })
    })

    it('puts fields and map keys into canonical order', () => {
      const object = decoded(
        '{"marks":{"b":"1","a":"2"},"kept":1,"labels":["z","y"],"name":"n","apiVersion":"paint/v1","kind":"Tin"}',
      )
      assert.equal(
        JSON.stringify(object),
        '{"kind":"Tin","apiVersion":"paint/v1","name":"n","labels":["z","y"],"kept":1,"made":null,"base":{"thickness":0},"marks":{"a":"2","b":"1"},"nothing":null}',
      )
    })

    it('treats null as absent, and null elements as zero', () => {
      assert.deepEqual(
        decoded('{"name":null,"count":null,"labels":[null],"marks":{"a":null},"layers":[null],"lid":null}'),
        {
          ...always,
          labels: [''],
          marks: { a: '' },
          layers: [{ thickness: 0 }],
        },
      )
      assert.deepEqual(decoded('null'), always)
    })

    it('treats the zero time as absent, and converts other times to canonical form', () => {
      assert.deepEqual(decoded('{"made":"0001-01-01T00:00:00Z","sealed":"0001-01-01T00:00:00.000000Z"}'), always)
      assert.deepEqual(decoded('{"made":"2024-05-06T07:08:09.5+02:00"}'), { ...always, made: '2024-05-06T05:08:09Z' })
    })

    it('converts quantities to canonical form, whatever their JSON type', () => {
      for (const [given, size] of [
        ['"1000m"', '1'],
        ['2', '2'],
        ['1.5', '1500m'],
        ['1e3', '1e3'],
        ['0', '0'],
      ])
        assert.deepEqual(decoded(`{"size":${given}}`), { ...always, size })
      assert.throws(() => decoded('{"size":true}'), /quantities must match the regular expression/)
    })

    it('treats names that every object inherits as data', () => {
      const object = decoded('{"constructor":"x","marks":{"__proto__":"p","toString":"t"}}') as Record<string, unknown>
      assert.equal(object.constructor, 'x')
      assert.deepEqual(Object.entries(object.marks as object), [
        ['__proto__', 'p'],
        ['toString', 't'],
      ])
      assert.equal(Object.hasOwn(decoded('{}') as object, 'constructor'), false)
    })

    it('accepts each alternative of a type with several', () => {
      for (const choice of ['true', '["a"]', '{"tight":false}'])
        assert.deepEqual(decoded(`{"choice":${choice}}`), { ...always, choice: JSON.parse(choice) })
    })

    it('does not change untyped JSON', () => {
      assert.deepEqual(decoded('{"extra":{"b":[1,null,{"a":""}],"a":0}}'), {
        ...always,
        extra: { b: [1, null, { a: '' }], a: 0 },
      })
    })

    it('converts objects of this process to the same form, and treats undefined as absent', () => {
      const given = { marks: { b: '1', a: '2' }, count: undefined, opened: false, name: 'x' }
      assert.deepEqual(decodeValue(tin, given, 'Strict').object, { ...always, name: 'x', marks: { a: '2', b: '1' } })
      assert.throws(() => decodeValue(tin, { name: () => 1 }, 'Strict'), { name: 'DecodeError' })
    })
  })

  describe(`values of a wrong JSON type, decoded ${mode}`, () => {
    const mismatches: readonly (readonly [string, string])[] = [
      ['[]', 'json: cannot unmarshal array into Go value of type v1.Tin'],
      ['"x"', 'json: cannot unmarshal string into Go value of type v1.Tin'],
      ['{"name":5}', 'json: cannot unmarshal number into Go struct field Tin.name of type string'],
      ['{"labels":"x"}', 'json: cannot unmarshal string into Go struct field Tin.labels of type []string'],
      ['{"labels":[true]}', 'json: cannot unmarshal bool into Go struct field Tin.labels of type string'],
      ['{"marks":{"a":1}}', 'json: cannot unmarshal number into Go struct field Tin.marks of type string'],
      ['{"marks":["a"]}', 'json: cannot unmarshal array into Go struct field Tin.marks of type map[string]string'],
      ['{"count":"3"}', 'json: cannot unmarshal string into Go struct field Tin.count of type int32'],
      ['{"count":1.5}', 'json: cannot unmarshal number 1.5 into Go struct field Tin.count of type int32'],
      ['{"count":2147483648}', 'json: cannot unmarshal number 2147483648 into Go struct field Tin.count of type int32'],
      [
        '{"big":9223372036854775808}',
        'json: cannot unmarshal number 9223372036854775808 into Go struct field Tin.big of type int64',
      ],
      ['{"opened":"true"}', 'json: cannot unmarshal string into Go struct field Tin.opened of type bool'],
      ['{"color":1}', 'json: cannot unmarshal number into Go struct field Tin.color of type v1.Color'],
      ['{"lid":[]}', 'json: cannot unmarshal array into Go struct field Tin.lid of type v1.Lid'],
      [
        '{"layers":[{"thickness":"x"}]}',
        'json: cannot unmarshal string into Go struct field Layer.layers.thickness of type int32',
      ],
      ['{"layers":{}}', 'json: cannot unmarshal object into Go struct field Tin.layers of type []v1.Layer'],
      ['{"made":5}', 'json: cannot unmarshal number into Go struct field Tin.made of type string'],
      ['{"port":1.5}', 'json: cannot unmarshal number 1.5 into Go struct field Tin.port of type int32'],
      ['{"port":{}}', 'json: cannot unmarshal object into Go struct field Tin.port of type int32'],
      ['{"data":{"k":"not base64!"}}', 'illegal base64 data at input byte 3'],
      ['{"data":{"k":5}}', 'json: cannot unmarshal number into Go struct field Tin.data of type []uint8'],
      ['{"choice":5}', 'json: cannot unmarshal number into Go struct field Tin.choice of type v1.Choice'],
    ]
    for (const [text, message] of mismatches) {
      it(`${text}: ${message}`, () => assert.throws(() => decoded(text, 'Ignore'), { name: 'DecodeError', message }))
    }

    it('are reported in the order of the text, only the first one', () => {
      assert.throws(() => decoded('{"lid":1,"name":2}'), /Tin\.lid/)
      assert.throws(() => decoded('{"name":2,"lid":1}'), /Tin\.name/)
    })

    it('do not include integers of up to 64 bits', () => {
      assert.deepEqual(decoded('{"big":9223372036854775807}'), { ...always, big: 2 ** 63 })
    })
  })

  describe(`unknown and duplicate fields, decoded ${mode}`, () => {
    const text =
      '{"name":"a","nmae":1,"lid":{"tite":true},"name":"b","layers":[{"thickness":1,"x":{"y":1}}],"marks":{"m":"1","m":"2"}}'
    const problems = [
      'unknown field "nmae"',
      'unknown field "lid.tite"',
      'duplicate field "name"',
      'unknown field "layers[0].x"',
      'duplicate field "marks.m"',
    ]
    const object = { ...always, name: 'b', lid: {}, layers: [{ thickness: 1 }], marks: { m: '2' } }

    it('are rejected under Strict, all of them in one message', () => {
      assert.throws(() => decoded(text, 'Strict'), {
        name: 'DecodeError',
        message: `strict decoding error: ${problems.join(', ')}`,
      })
    })

    it('are dropped with warnings under Warn', () => {
      assert.deepEqual(decodeJson(tin, Buffer.from(text), 'Warn'), { object, warnings: problems })
    })

    it('are dropped silently under Ignore', () => {
      assert.deepEqual(decodeJson(tin, Buffer.from(text), 'Ignore'), { object, warnings: [] })
    })

    it('are found even if the duplicate has the same value, but not in untyped JSON', () => {
      assert.throws(() => decoded('{"count":1,"count":1}'), /duplicate field "count"/)
      assert.deepEqual(decoded('{"extra":{"a":1,"a":2}}'), { ...always, extra: { a: 2 } })
    })

    it('are not reported if a value has a wrong type', () => {
      assert.throws(() => decoded('{"nope":1,"name":1}'), /cannot unmarshal number/)
    })
  })

  describe(`hostile input, decoded ${mode}`, () => {
    it('of random bytes never crashes decoding', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 60 }), (input) => neverCrashes(input)),
        { numRuns: 1000 },
      )
    })

    it('of random JSON never crashes decoding, and every rejection has a message', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => neverCrashes(Buffer.from(JSON.stringify(value)))),
        { numRuns: 1000 },
      )
    })

    it('of great depth is rejected', () => {
      const deep = `{"extra":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
      assert.throws(() => decoded(deep), { message: 'exceeded max depth' })
      const recursive = `${'{"inner":'.repeat(5_000)}{}${'}'.repeat(5_000)}`
      assert.throws(() => decoded(`{"lid":${recursive}}`), { message: 'exceeded max depth' })
    })

    function neverCrashes(input: Uint8Array): void {
      for (const validation of ['Strict', 'Warn', 'Ignore'] as const) {
        try {
          encode(tin, decodeJson(tin, input, validation).object)
        } catch (error) {
          assert.match((error as Error).name, /^(DecodeError|JsonSyntaxError)$/)
          assert.notEqual((error as Error).message, '')
        }
      }
    }
  })
}

describe('all paths of decoding', () => {
  const text = fc.tuple(arbitraryObject(modes.exactly), fc.infiniteStream(fc.nat(99))).map(([object, chance]) => {
    return JSON.stringify(object).replaceAll(/"(\w*)":|\d+|null/g, (token, key?: string) => damaged(token, key, chance))
  })

  /** Changes some tokens: unknown and duplicate fields, values of other types, numbers out of range. */
  function damaged(token: string, key: string | undefined, chance: fc.Stream<number>): string {
    const { value } = chance.next() as IteratorYieldResult<number>
    if (value >= 6) return token
    if (key === undefined) return ['1e3', '"text"', '99999999999', '1.50', '{}', '[true]'][value]!
    return [`"odd":1,${token}`, `"${key}x":`, `"name":"again",${token}`, `"${key}":null,${token}`, token, token][value]!
  }

  it('give the same object, the same warnings or the same error', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('Strict', 'Warn', 'Ignore'), (input, validation) => {
        const [exact, ...others] = Object.values(modes).map((type) => resultOf(type, input, validation))
        for (const other of others) assert.equal(other, exact)
      }),
      { numRuns: 2000 },
    )
  })

  function resultOf(type: ObjectType, input: string, validation: FieldValidation): string {
    try {
      return JSON.stringify(decodeJson(type, Buffer.from(input), validation))
    } catch (error) {
      return String(error)
    }
  }
})
