import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../api/errors.js'
import { chunkSize, chunksOf, errorStatus } from './encode-response.js'

test('parts are gathered whole and in order, into chunks of which only the last is small', () => {
  const part = fc.integer({ min: 0, max: chunkSize }).map((length) => Buffer.alloc(length, length % 251))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const chunks = [...chunksOf(parts)]
      assert.ok(Buffer.concat(chunks).equals(Buffer.concat(parts)))
      for (const chunk of chunks.slice(0, -1)) assert.ok(chunk.length >= chunkSize)
    }),
    { numRuns: 50 },
  )
})

test('a chunk is made when it is asked for, and not before', () => {
  const parts = Array.from({ length: 3 * 64 }, () => Buffer.alloc(chunkSize / 64, 1))
  const chunks = chunksOf(parts)[Symbol.iterator]()
  assert.equal(chunks.next().value?.[0], 1)
  parts.at(-1)!.fill(2)
  chunks.next()
  assert.equal(chunks.next().value?.at(-1), 2)
})

test('a refusal whose code is none of HTTP is told as a failure', () => {
  const refusal = (code: number) => new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, code } as never)
  assert.deepEqual(
    [403, 599, 0, 101, 600, 1000].map((code) => errorStatus(refusal(code)).code),
    [403, 599, 500, 500, 500, 500],
  )
  assert.equal(errorStatus(refusal(1000)).status.code, 1000)
})
