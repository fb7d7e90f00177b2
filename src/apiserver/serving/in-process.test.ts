import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ApiError } from '../../api/errors.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import type { ApiRequest } from '../request/request-context.js'

describe('a component in the same process', () => {
  let server: TestApiServer
  const seats = 4
  before(async () => {
    const requests = { timeout: 60_000, minWatchTimeout: 1, maxInFlight: seats, maxMutatingInFlight: 0, isFair: true }
    server = await startTestApiServer({
      options: { authorization: { modes: ['AlwaysAllow'] }, requests: { ...requests, origins: [] } },
    })
  })
  after(() => server.close())

  const ask = (method: string, target: string, value?: unknown, overrides: Partial<ApiRequest> = {}) => {
    const [path = '', search] = target.split('?')
    const user = { name: 'system:kube-controller-manager', uid: '', groups: ['system:authenticated'], extra: {} }
    const request: ApiRequest = {
      method,
      path,
      query: new URLSearchParams(search),
      headers: {},
      body: async () => ({ value }),
      signal: new AbortController().signal,
      peer: { address: 'in-process', user },
      ...overrides,
    }
    return server.api.handleInProcess(request)
  }

  test('gives its seat back, however its requests end', async () => {
    for (let i = 0; i < 10 * seats; i++) {
      await ask('GET', '/api/v1/namespaces/default')
      await assert.rejects(ask('GET', '/api/v1/namespaces/none'), { code: 404 })
      const { response: answer } = await ask('GET', '/api/v1/namespaces?watch=1')
      assert.equal(answer.is, 'watch')
    }
  })

  test('is rejected as anybody is', async () => {
    await assert.rejects(ask('GET', '/nothing'), (error: ApiError) => error.code === 404)
  })

  test('who asks for a time that cannot be read is rejected before anything is done', async () => {
    const path = '/api/v1/namespaces/default/configmaps'
    await assert.rejects(ask('POST', `${path}?timeout=soon`, { metadata: { name: 'late' } }), { code: 400 })
    await assert.rejects(ask('GET', `${path}/late`), { code: 404 })
  })

  test('who leaves while he waits for his turn is no mistake of the server', async () => {
    const path = '/api/v1/namespaces/default/configmaps'
    let send = (_: { value: unknown }) => {}
    const sent = new Promise<{ value: unknown }>((resolve) => {
      send = resolve
    })
    const leaving = new AbortController()
    const slow = Array.from({ length: 2 * seats }, () => ask('POST', path, undefined, { body: () => sent }))
    const gone = ask('GET', path, undefined, { signal: leaving.signal })
    const refused = assert.rejects(gone, { code: 503, message: 'the request was aborted before its response' })
    leaving.abort()
    send({ value: { metadata: { generateName: 'slow-' } } })
    await Promise.all(slow)
    await refused
  })
})
