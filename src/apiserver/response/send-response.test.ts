import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryServer } from '../registry/server.test.kit.js'
import type { ApiRequest } from '../request/request-context.js'
import type { Responder } from '../serving/responder.js'
import { chunkSize } from './encode-response.js'

test('of the start of a watch no more is held for a client than it takes', async () => {
  const server = await openMemoryServer()
  const large = 'x'.repeat(100_000)
  for (let index = 0; index < 20; index++)
    await server.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: `large-${index}` },
      data: { large },
    })
  const left = new AbortController()
  const pieces: number[] = []
  let take = () => {}
  const taken = new Promise<void>((resolve) => {
    take = resolve
  })
  const respond = {
    head: () => undefined,
    write(chunk: Uint8Array) {
      pieces.push(chunk.length)
      return false
    },
    drained: () => taken,
    end: () => undefined,
    destroy: () => undefined,
    closed: false,
    started: true,
    buffered: 0,
  } as unknown as Responder
  const request: ApiRequest = {
    method: 'GET',
    path: '/api/v1/configmaps',
    query: new URLSearchParams('watch=1&timeoutSeconds=1'),
    headers: {},
    body: () => Promise.reject(new Error('a watch has no body')),
    signal: left.signal,
    peer: { address: '127.0.0.1' },
  }
  const handled = Promise.resolve(server.api.handle(request, respond))
  while (pieces.length === 0) await new Promise(setImmediate)
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
  assert.equal(pieces.length, 1)
  assert.ok(pieces[0]! < chunkSize + 200_000)
  take()
  left.abort()
  await handled
  await server.close()
})
