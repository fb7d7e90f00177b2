import { strictEqual as equal, throws } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestApiServer } from '../../testing/servers/api-server.js'
import { sendRaw } from '../../testing/servers/whoami.js'
import { readOrigins } from './cors.js'

describe('Pages of other origins', () => {
  it('may make requests where they are allowed to, and only there', async () => {
    const origins = readOrigins(['^https://good\\.example$', '//dev.example:'])
    const requests = {
      timeout: 60_000,
      minWatchTimeout: 1,
      maxInFlight: 400,
      maxMutatingInFlight: 200,
      isFair: true,
      origins,
    }
    const server = await startTestApiServer({ options: { requests } })
    try {
      const ask = (origin: string, method = 'GET') =>
        sendRaw(server, { method, path: '/healthz', headers: ['Origin', origin] })
      const good = await ask('https://good.example')
      equal(good.status, 200)
      equal(good.headers['access-control-allow-origin'], 'https://good.example')
      equal(good.headers.vary, 'Origin')
      const asked = await ask('http://dev.example:3000', 'OPTIONS')
      equal(asked.status, 204)
      equal(asked.headers['access-control-allow-credentials'], 'true')
      for (const origin of [
        'https://good.example.evil.example',
        'https://evil.example',
        'null',
        'https://goodxexample',
      ]) {
        equal((await ask(origin)).headers['access-control-allow-origin'], undefined, origin)
        equal((await ask(origin, 'OPTIONS')).headers['access-control-allow-origin'], undefined, origin)
      }
    } finally {
      await server.close()
    }
  })

  it('are named by expressions that cover whole names', () => {
    for (const text of ['example.com', '^https://example.com', 'example.com$', '.*', '^https://(example$'])
      throws(() => readOrigins([text]), /expression/, text)
    equal(readOrigins(['^https://a$', '//b:']).length, 2)
  })
})
