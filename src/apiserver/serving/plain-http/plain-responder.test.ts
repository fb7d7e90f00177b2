import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSocket, RawResponseReader, startServer } from '../../../testing/servers/https-server.js'
import type { HeaderList, RequestHandler, Responder } from '../responder.js'

type Context = Parameters<typeof startServer>[0]

const text = ['content-type', 'text/plain']
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** The answer to a plain request, and to one that Node reads: both as they stand on the wire. */
async function bothWays(context: Context, handle: RequestHandler): Promise<[string, string]> {
  const server = await startServer(context, handle)
  const ask = async (message: string) => {
    const socket = await openSocket(server)
    const responses = new RawResponseReader(socket)
    socket.write(message)
    const response = await responses.next()
    socket.destroy()
    return response
  }
  return [await ask(get), await ask(`\r\n${get}`)]
}

/** First line, headers in any order and spelling, and body. */
function parts(response: string): unknown[] {
  const end = response.indexOf('\r\n\r\n')
  const [first, ...lines] = response.slice(0, end).split('\r\n')
  const headers = lines.map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()))
  return [first, headers.map((line) => line.replace(/^date: .*GMT$/, 'date: now')).sort(), response.slice(end + 4)]
}

const responses: Record<string, (respond: Responder) => void> = {
  'in one piece': (respond) => respond.whole(200, text, Buffer.from('fine')),
  'of nothing': (respond) => respond.whole(200, text, new Uint8Array()),
  'of many bytes': (respond) => respond.whole(200, text, Buffer.alloc(1_000_000, 'x')),
  'that it was created': (respond) => respond.whole(201, [...text, 'audit-id', '1'], Buffer.from('{}')),
  'without content': (respond) => respond.whole(204, text, new Uint8Array()),
  'without content, in pieces': (respond) => {
    respond.head(204, text)
    respond.write(Buffer.from('never sent'))
    respond.end()
  },
  'that nothing has changed': (respond) => respond.whole(304, ['etag', '"1"'], new Uint8Array()),
  'with a status that has no name': (respond) => respond.whole(299, text, Buffer.from('fine')),
  'with a header twice, and beyond ASCII': (respond) =>
    respond.whole(200, ['warning', '299 - "größe"', 'warning', '299 - "→"'], Buffer.from('fine')),
  'in pieces': (respond) => {
    respond.head(200, text)
    for (const piece of ['one', '', 'seventeen letters', 'x'.repeat(70_000)]) respond.write(Buffer.from(piece))
    respond.end(Buffer.from('last'))
  },
  'in pieces, of which there are none': (respond) => {
    respond.head(200, text)
    respond.end()
  },
  'in pieces of a known length': (respond) => {
    respond.head(200, [...text, 'content-length', '6'])
    for (const piece of ['one', '', 'two']) respond.write(Buffer.from(piece))
    respond.end()
  },
  'with a header that only speaks of lengths': (respond) => {
    respond.head(200, ['vary', 'content-length'])
    respond.end(Buffer.from('fine'))
  },
}

for (const [what, give] of Object.entries(responses))
  test(`an answer ${what} is what Node would send`, async (context) => {
    const [lane, node] = await bothWays(context, (_, respond) => give(respond))
    assert.deepEqual(parts(lane), parts(node))
  })

test('a response in pieces is framed byte for byte', async (context) => {
  const [lane] = await bothWays(context, (_, respond) => responses['in pieces']!(respond))
  const body = `3\r\none\r\n11\r\nseventeen letters\r\n11170\r\n${'x'.repeat(70_000)}\r\n4\r\nlast\r\n0\r\n\r\n`
  assert.equal(lane.slice(lane.indexOf('\r\n\r\n') + 4), body)
})

test('a response tells when it was given, and for how long the connection stays', async (context) => {
  const [lane] = await bothWays(context, (_, respond) => respond.whole(200, text, Buffer.from('fine')))
  const date = /\r\nDate: (.*)\r\n/.exec(lane)?.[1]
  assert.equal(new Date(date!).toUTCString(), date)
  assert.match(lane, /\r\nConnection: keep-alive\r\nKeep-Alive: timeout=90\r\n/)
})

test('a header that would bring others with it is not sent', async (context) => {
  const given: HeaderList[] = [
    ['a', 'b\r\nset-cookie: c'],
    ['a', 'b\nset-cookie: c'],
    ['a', 'b\rc'],
    ['a', 'b\0'],
    ['a', 'b\x7f'],
  ]
  for (const headers of given)
    for (const give of [
      (respond: Responder) => respond.whole(200, headers, Buffer.from('fine')),
      (respond: Responder) => respond.head(200, headers),
    ]) {
      const both = await bothWays(context, (_, respond) => give(respond))
      for (const response of both) {
        assert.match(response, /^HTTP\/1.1 500 Internal Server Error\r\n[\s\S]*\r\n\r\n500 Internal Server Error$/)
        assert.doesNotMatch(response, /set-cookie/)
      }
    }
})

test('who waits for room that there already is need not wait', async (context) => {
  const [lane] = await bothWays(context, async (_, respond) => {
    respond.head(200, text)
    const hasRoom = respond.write(Buffer.alloc(100_000, 'x'))
    while (respond.buffered > 0) await new Promise(setImmediate)
    if (!hasRoom && respond.constructor.name === 'PlainResponder') await respond.drained()
    respond.end(Buffer.from('done'))
  })
  assert.match(lane, /done\r\n0\r\n\r\n$/)
})
