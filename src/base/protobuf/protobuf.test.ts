import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { MalformedMessageError, WireReader } from './reader.js'
import { WireWriter } from './writer.js'

type Field =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'bigint'; readonly value: bigint }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'message'; readonly value: readonly Numbered[] }
interface Numbered {
  readonly field: number
  readonly content: Field
}

const plainly = { noNullPrototype: true }

const { message } = fc.letrec<{ message: Numbered[]; content: Field }>((tie) => ({
  message: fc.array(fc.record({ field: fc.integer({ min: 1, max: 5000 }), content: tie('content') }, plainly), {
    maxLength: 6,
  }),
  content: fc.oneof(
    { depthSize: 'small' },
    fc.record({ type: fc.constant('number' as const), value: fc.maxSafeNat().map((n) => n || 1) }, plainly),
    fc.record({ type: fc.constant('bigint' as const), value: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }) }, plainly),
    fc.record({ type: fc.constant('bytes' as const), value: fc.uint8Array({ minLength: 1, maxLength: 300 }) }, plainly),
    fc.record({ type: fc.constant('message' as const), value: tie('message') }, plainly),
  ),
}))

function write(writer: WireWriter, fields: readonly Numbered[]): void {
  for (const { field, content } of fields.toReversed()) {
    if (content.type === 'number') writer.number(field, content.value)
    else if (content.type === 'bigint') writer.bigint(field, content.value)
    else if (content.type === 'bytes') writer.bytes(field, content.value)
    else {
      const before = writer.written
      write(writer, content.value)
      writer.message(field, before)
    }
  }
}

function encoded(fields: readonly Numbered[], capacity = 0): Buffer {
  const writer = new WireWriter(capacity)
  write(writer, fields)
  return writer.finish()
}

/** Reads a message of a known layout, and returns it in the form it was written from. */
function read(reader: WireReader, layout: readonly Numbered[]): Numbered[] {
  return layout.map(({ content }) => {
    assert.ok(reader.next())
    return { field: reader.field, content: readContent(reader, content) }
  })
}

function readContent(reader: WireReader, { type, value }: Field): Field {
  if (type === 'number') return { type, value: reader.number() }
  if (type === 'bigint') return { type, value: BigInt(reader.decimal()) }
  if (type === 'bytes') return { type, value: new Uint8Array(reader.bytes()) }
  const outer = reader.enter()
  const fields = read(reader, value)
  assert.equal(reader.next(), false)
  reader.leave(outer)
  return { type, value: fields }
}

test('a written message is read back, with any initial size', () => {
  fc.assert(
    fc.property(message, fc.nat(200), (fields, capacity) => {
      const reader = new WireReader(encoded(fields, capacity))
      assert.deepEqual(read(reader, fields), fields)
      assert.equal(reader.next(), false)
    }),
  )
})

test('bytes are those of the protobuf documentation', () => {
  const writer = new WireWriter()
  writer.bytes(2, Buffer.from('testing'))
  writer.number(1, 150)
  assert.equal(writer.finish().toString('hex'), '089601120774657374696e67')
  const nested = new WireWriter()
  nested.number(1, 150)
  nested.message(3, 0)
  assert.equal(nested.finish().toString('hex'), '1a03089601')
})

test('a message has its length before it', () => {
  for (const size of [0, 1, 127, 128, 16_383, 16_384, 100_000, 3_000_000]) {
    const writer = new WireWriter()
    writer.text(2, 'x'.repeat(size))
    writer.message(3, 0)
    const reader = new WireReader(writer.finish())
    assert.ok(reader.next())
    assert.equal(reader.field, 3)
    reader.enter()
    assert.ok(reader.next())
    assert.equal(reader.text().length, size)
  }
})

test('signed numbers, fractions and texts are read back', () => {
  const number = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(0, -1, -(2 ** 53), 2 ** 53))
  fc.assert(
    fc.property(
      number,
      fc.double({ noNaN: true }),
      fc.string({ unit: 'binary', maxLength: 90 }),
      (whole, part, text) => {
        const writer = new WireWriter(0)
        writer.text(3, text)
        writer.double(2, part)
        writer.integer(1, whole)
        const reader = new WireReader(writer.finish())
        reader.next()
        assert.equal(reader.number(), whole)
        reader.next()
        assert.equal(reader.double(), part)
        reader.next()
        assert.equal(reader.text(), text)
        assert.ok(reader.atEnd)
      },
    ),
  )
})

test('a number above 64 bits becomes the nearest one', () => {
  const written = (value: number) => {
    const writer = new WireWriter()
    writer.integer(1, value)
    const reader = new WireReader(writer.finish())
    reader.next()
    return reader.decimal()
  }
  assert.equal(written(2 ** 63), '9223372036854775807')
  assert.equal(written(-(2 ** 70)), '-9223372036854775808')
})

test('groups, which are obsolete, are skipped as a whole', () => {
  const group = '0b' + '0801' + '13' + '14' + '0c'
  const reader = new WireReader(Buffer.from(`${group}1001`, 'hex'))
  reader.next()
  reader.skip()
  assert.ok(reader.next())
  assert.equal(reader.field, 2)
  const unended = new WireReader(Buffer.from('0b0801', 'hex'))
  unended.next()
  assert.throws(() => unended.skip(), new MalformedMessageError('unexpected EOF'))
  const unbegun = new WireReader(Buffer.from('0c', 'hex'))
  unbegun.next()
  assert.throws(() => unbegun.skip(), new MalformedMessageError('proto: unexpected end of group'))
})

test('default values are not written', () => {
  const writer = new WireWriter()
  writer.number(1, 0)
  writer.number(2)
  writer.flag(3, false)
  writer.bytes(4, new Uint8Array(0))
  writer.bigint(5, 0n)
  assert.equal(writer.finish().length, 0)
})

test('a negative number has ten bytes', () => {
  const message = Buffer.from(`08${'ff'.repeat(9)}01`, 'hex')
  const read = (take: (reader: WireReader) => unknown) => {
    const reader = new WireReader(message)
    reader.next()
    return take(reader)
  }
  assert.equal(
    read((reader) => reader.number()),
    -1,
  )
  assert.equal(
    read((reader) => reader.decimal()),
    '-1',
  )
})

test('fields of any type can be skipped', () => {
  fc.assert(
    fc.property(message, (fields) => {
      const fixed = Buffer.from('090102030405060708' + '0d01020304', 'hex')
      const reader = new WireReader(Buffer.concat([fixed, encoded(fields)]))
      const seen = []
      while (reader.next()) {
        seen.push(reader.field)
        reader.skip()
      }
      assert.deepEqual(seen, [1, 1, ...fields.map(({ field }) => field)])
    }),
  )
})

test('bytes and text are parts of the message, and never of the bytes around it', () => {
  const around = Buffer.concat([
    Buffer.from('before'),
    encoded([{ field: 1, content: bytesOf('/root/key') }]),
    Buffer.from('after'),
  ])
  const inside = around.subarray(6, around.length - 5)
  const reader = new WireReader(inside)
  reader.next()
  const value = reader.bytes()
  assert.equal(value.buffer, around.buffer)
  assert.equal(value.toString(), '/root/key')
  const again = new WireReader(inside)
  again.next()
  assert.equal(again.text('/root/'.length), 'key')
})

function bytesOf(text: string): Field {
  return { type: 'bytes', value: Buffer.from(text) }
}

/** Reads to the end, in every way that the bytes allow. */
function readAll(reader: WireReader): void {
  while (reader.next()) {
    const kind = reader.field % 5
    if (kind === 0) reader.skip()
    else if (kind === 1) reader.number()
    else if (kind === 2) reader.bytes()
    else if (kind === 3) reader.text()
    else reader.decimal()
  }
}

test('truncated and invalid messages are malformed, and cause no other error', () => {
  const orMalformed = (run: () => void) => {
    try {
      run()
    } catch (error) {
      assert.ok(error instanceof MalformedMessageError, error as Error)
    }
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (noise) =>
      orMalformed(() => readAll(new WireReader(Buffer.from(noise)))),
    ),
  )
  fc.assert(
    fc.property(message, fc.nat(), (fields, seed) => {
      const whole = encoded(fields)
      const cut = whole.subarray(0, seed % (whole.length + 1))
      orMalformed(() => readAll(new WireReader(cut)))
    }),
  )
  assert.throws(() => readAll(new WireReader(Buffer.from('1a05', 'hex'))), MalformedMessageError)
  assert.throws(() => readAll(new WireReader(Buffer.from('00', 'hex'))), MalformedMessageError)
  assert.throws(() => readAll(new WireReader(Buffer.from(`08${'ff'.repeat(11)}`, 'hex'))), MalformedMessageError)
})
