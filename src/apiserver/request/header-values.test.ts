import { deepStrictEqual as deepEqual } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openHttp2, sendHttp1, sendOn, startServer } from '../../testing/servers/https-server.js'
import { headerValues } from './header-values.js'
import type { ApiRequest } from './request-context.js'

describe('The values of a header', () => {
  it('are told apart as they were sent, over either protocol', async (context) => {
    const seen: (readonly string[])[] = []
    const server = await startServer(context, (request, respond) => {
      seen.push(headerValues(request, 'X-Group'))
      respond.whole(200, [], Buffer.from(''))
    })
    const headers = { 'x-group': ['a, b', 'c'] }
    await sendHttp1(server, { headers })
    const session = await openHttp2(server)
    await sendOn(session, { headers })
    session.close()
    deepEqual(seen, [
      ['a, b', 'c'],
      ['a, b', 'c'],
    ])
  })

  it('are none where it was not sent or has been taken off', () => {
    const request = { headers: {}, rawHeaders: ['X-Group', 'a'] } as unknown as ApiRequest
    deepEqual(headerValues(request, 'X-Group'), [])
    deepEqual(headerValues({ headers: { 'x-group': 'a' } } as unknown as ApiRequest, 'x-GROUP'), ['a'])
  })
})
