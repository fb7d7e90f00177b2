import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../declaration.js'
import { openapiV2Protobuf } from './version2-protobuf.js'

/** The fields of a message, one level deep: number, and bytes or varint. */
function fieldsOf(message: Uint8Array): [number, Buffer | number][] {
  const bytes = Buffer.from(message)
  const fields: [number, Buffer | number][] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const key = varint()
    const length = varint()
    fields.push([key >>> 3, (key & 7) === 2 ? bytes.subarray(at, at + length) : length])
    if ((key & 7) === 2) at += length
  }
  assert.equal(at, bytes.length)
  return fields
}

/** The value at a path of field numbers, using the first field of each number. */
function at(message: Uint8Array, ...path: number[]): string | number {
  const value = path.reduce<Buffer | number>(
    (inside, wanted) => fieldsOf(inside as Buffer).find(([field]) => field === wanted)![1],
    Buffer.from(message),
  )
  return typeof value === 'number' ? value : value.toString()
}

const document: JsonObject = {
  swagger: '2.0',
  info: { title: 'Toys', version: 'v7' },
  paths: {
    '/toys/{name}': {
      get: {
        operationId: 'readToy',
        tags: ['toys'],
        produces: ['application/json', 'application/yaml'],
        responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/Toy' } } },
        'x-kubernetes-action': 'get',
      },
      parameters: [
        { in: 'path', name: 'name', required: true, type: 'string', uniqueItems: true },
        { $ref: '#/parameters/pretty-1' },
      ],
    },
  },
  definitions: {
    Toy: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } }, required: ['tags'] },
  },
  parameters: { 'pretty-1': { in: 'query', name: 'pretty', type: 'string', uniqueItems: true } },
  securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
  security: [{ BearerToken: [] }],
}

test('members of a document have the field numbers that clients expect', () => {
  const bytes = openapiV2Protobuf(document)
  assert.equal(at(bytes, 1), '2.0')
  assert.equal(at(bytes, 2, 2), 'v7')
  assert.equal(at(bytes, 8, 2, 1), '/toys/{name}')
  const operation = [8, 2, 2, 2]
  assert.equal(at(bytes, ...operation, 5), 'readToy')
  assert.equal(at(bytes, ...operation, 9, 1, 1), '200')
  assert.equal(at(bytes, ...operation, 9, 1, 2, 1, 2, 1, 1), '#/definitions/Toy')
  assert.equal(at(bytes, ...operation, 13, 1), 'x-kubernetes-action')
  assert.equal(at(bytes, ...operation, 13, 2, 2), '"get"')
  assert.equal(at(bytes, 8, 2, 2, 9, 1, 2, 4, 4), 'name')
  assert.equal(at(bytes, 8, 2, 2, 9, 1, 2, 4, 1), 1)
  assert.equal(at(bytes, 9, 1, 1), 'Toy')
  assert.equal(at(bytes, 9, 1, 2, 22, 1), 'object')
  assert.equal(at(bytes, 9, 1, 2, 25, 1, 2, 23, 1, 22, 1), 'string')
  assert.equal(at(bytes, 9, 1, 2, 19), 'tags')
  assert.equal(at(bytes, 10, 1, 2, 2, 3, 4), 'pretty')
  assert.equal(at(bytes, 12, 1, 1), 'BearerToken')
  assert.equal(at(bytes, 13, 1, 2, 2, 3), 'header')
})

test('lists keep their order', () => {
  const path = fieldsOf(openapiV2Protobuf(document)).find(([field]) => field === 8)![1] as Buffer
  const item = fieldsOf(fieldsOf(path)[0]![1] as Buffer)[1]![1] as Buffer
  const operation = fieldsOf(item).find(([field]) => field === 2)![1] as Buffer
  const produces = fieldsOf(operation).filter(([field]) => field === 6)
  assert.deepEqual(
    produces.map(([, value]) => value.toString()),
    ['application/json', 'application/yaml'],
  )
})

test('a member without a field number is rejected, not dropped', () => {
  assert.throws(() => openapiV2Protobuf({ ...document, host: 'example.com' }), /no host here/)
  assert.throws(() => openapiV2Protobuf({ definitions: { Toy: { oneOf: [] } } }), /no oneOf here/)
})
