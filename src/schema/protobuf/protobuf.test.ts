import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MalformedMessageError } from '../../base/protobuf/reader.js'
import { decodeValue } from '../decode/decoder.js'
import { DecodeError } from '../decode/inspect.js'
import {
  bool,
  bytes,
  double,
  either,
  field,
  int32,
  int64,
  intOrString,
  json,
  list,
  listOf,
  map,
  microTime,
  quantity,
  rawExtension,
  ref,
  string,
  time,
} from '../fields.js'
import { schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { decodeProtobuf } from './decode.js'
import { encodeProtobuf } from './encode.js'
import { hasProtobuf } from './layout.js'

const scheme = new Scheme({
  groups: [],
  declarations: [
    schema('toys/v1.Part', {
      required: { name: string(1) },
      optional: { count: int32(2), next: ref(3, 'toys/v1.Part') },
    }),
    schema('toys/v1.Toy', {
      required: { label: string(1), parts: list(2, ref('toys/v1.Part')) },
      optional: {
        count: int32(3),
        limit: int32(4, { keepZero: true }),
        open: bool(5),
        size: int64(6),
        weight: double(7, { keepZero: true }),
        data: bytes(8),
        made: time(9, { always: true }),
        seen: microTime(10),
        room: quantity(11),
        port: intOrString(12),
        raw: rawExtension(13),
        words: map(14, string),
        extra: map(15, listOf(string)),
        verbs: list(16, string, { goType: 'v1.Verbs' }),
        numbers: list(17, int64),
        part: ref(18, 'toys/v1.Part'),
        body: ref(19, 'toys/v1.Part', { always: true }),
        inside: string('20.1'),
        deep: string('20.2.1', { keepZero: true }),
        choice: field(21, either('toys/v1.PartOrBool', bool, ref('toys/v1.Part'))),
        pair: field(22, either('toys/v1.PartOrParts', ref('toys/v1.Part'), listOf(ref('toys/v1.Part')))),
        any: json(23),
        parts2: map(24, ref('toys/v1.Part')),
        lost: string(0),
      },
    }),
  ],
})
const toy = scheme.type('toys/v1.Toy')

/** The fields that are never omitted, in hex. */
const always = { label: '0a00', count: '1800', open: '2800', size: '3000', made: '4a00', body: '9a01040a001000' }
const inside = 'a201040a001200'

function encoded(object: object): string {
  return encodeProtobuf(toy, object).toString('hex')
}

/** Objects with one more field, and its bytes according to the specification of protobuf and the messages of Kubernetes. */
const samples: Readonly<Record<string, readonly [object, string]>> = {
  'a text': [{ data: 'AAH/' }, '42030001ff'],
  'no bytes': [{ data: '' }, '4200'],
  'a zero that is kept': [{ limit: 0 }, '2000'],
  'a negative number, in ten bytes': [{ limit: -1 }, '20ffffffffffffffffff01'],
  'a fraction': [{ weight: 1.5 }, '39000000000000f83f'],
  'a point in time with its microseconds': [{ seen: '1970-01-01T00:00:01.000002Z' }, '52050801' + '10d00f'],
  'a quantity': [{ room: '1536Mi' }, '5a08' + '0a06313533364d69'],
  'a number where a text might be': [{ port: 80 }, '6206' + '0800' + '1050' + '1a00'],
  'a text where a number might be': [{ port: 'web' }, '6209' + '0801' + '1000' + '1a03776562'],
  'JSON inside': [{ raw: { a: 1 } }, '6a09' + '0a077b2261223a317d'],
  'a map': [{ words: { a: 'b', c: '' } }, '7206' + '0a0161' + '120162' + '7205' + '0a0163' + '1200'],
  'a map of lists': [{ extra: { a: ['b', 'c'] } }, '7a0b' + '0a0161' + '1206' + '0a0162' + '0a0163'],
  'a list in a message of its own': [{ verbs: ['a'] }, '820103' + '0a0161'],
  'such a list without elements': [{ verbs: [] }, '820100'],
  'numbers, each with its field': [{ numbers: [1, 300] }, '880101' + '8801ac02'],
  'an object that may be absent': [{ part: { name: 'a', count: 2 } }, '920105' + '0a0161' + '1002'],
  'a boolean where an object might be': [{ choice: true }, 'aa0102' + '0801'],
  'an object where a boolean might be': [{ choice: { name: 'a' } }, 'aa0109' + '0801' + '12050a01611000'],
  'an object where a list might be': [{ pair: { name: 'a' } }, 'b20107' + '0a050a01611000'],
  'a list where an object might be': [{ pair: [{ name: 'a' }] }, 'b20107' + '12050a01611000'],
}

describe('an object in protobuf', () => {
  test('has all fields that are not pointers in Go, in the order of their numbers', () => {
    const { label, count, open, size, made, body } = always
    assert.equal(encoded({}), label + count + open + size + made + body + inside)
  })

  test('nests fields that JSON inlines', () => {
    assert.ok(encoded({ inside: 'a', deep: 'b' }).endsWith('a20108' + '0a0161' + '12030a0162'))
  })

  test('has a time without its fraction', () => {
    assert.ok(encoded({ made: '1970-01-01T00:02:30Z' }).includes('4a05' + '08960110' + '00'))
  })

  for (const [what, [object, hex]] of Object.entries(samples))
    test(`writes and reads ${what}`, () => {
      const canonical = decodeValue(toy, object, 'Strict').object
      const whole = encoded(object)
      assert.ok(whole.includes(hex), `${hex} is not in ${whole}`)
      const read = decodeValue(toy, decodeProtobuf(toy, Buffer.from(whole, 'hex')), 'Strict').object
      assert.deepEqual(read, canonical)
    })
})

function decoded(hex: string): Record<string, unknown> {
  return decodeProtobuf(toy, Buffer.from(hex, 'hex'))
}

describe('a message from another encoder', () => {
  test('may have packed numbers', () => {
    assert.deepEqual(decoded('8a0103' + '01' + 'ac02' + '880105'), { numbers: [1, 300, 5] })
  })

  test('may have unknown fields', () => {
    assert.deepEqual(decoded('0a0161' + 'f80701' + 'fa070161' + 'fd0700000000'), { label: 'a' })
  })

  test('may repeat fields: the last one counts, lists are concatenated, objects merged', () => {
    assert.deepEqual(decoded('0a0161' + '0a0162' + '9201030a0161' + '92010210' + '02' + '12030a0178' + '12030a0179'), {
      label: 'b',
      part: { name: 'a', count: 2 },
      parts: [{ name: 'x' }, { name: 'y' }],
    })
  })

  test('may omit a key or a value', () => {
    assert.deepEqual(decodeValue(toy, decoded('7200'), 'Strict').object.words, { '': '' })
  })

  test('is truncated to 32 bits for fields of 32 bits', () => {
    assert.deepEqual(decoded('188180808010'), { count: 1 })
  })

  test('has an empty message for no time', () => {
    assert.deepEqual(decoded('5200'), { seen: null })
  })

  test('is rejected if it is malformed', () => {
    assert.throws(() => decoded('0801'), new MalformedMessageError('proto: wrong wireType = 0 for field Label'))
    assert.throws(() => decoded('0a02'), new MalformedMessageError('unexpected EOF'))
    assert.throws(() => decoded('00'), new MalformedMessageError('proto: illegal tag 0 (wire type 0)'))
    assert.throws(() => decoded('4a07' + '08ffffffffff7f'), DecodeError)
    assert.throws(() => decoded('39000000000000f07f'), DecodeError)
    assert.throws(() => decoded('6a030a017b'), DecodeError)
  })

  test('is rejected if it is nested too deep', () => {
    let message = Buffer.alloc(0)
    for (let i = 0; i < 2_000; i++) message = Buffer.concat([Buffer.from([0x1a]), varint(message.length), message])
    assert.throws(
      () => decodeProtobuf(scheme.type('toys/v1.Part'), message),
      new MalformedMessageError('exceeded max depth'),
    )
  })
})

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.from([(value & 0x7f) | 0x80, value >> 7])
}

test('a type with a field without a number has no protobuf form', () => {
  assert.equal(hasProtobuf(scheme.type('toys/v1.Part')), true)
  assert.equal(hasProtobuf(toy), false)
  assert.deepEqual(encoded({ lost: 'a' }), encoded({}))
})
