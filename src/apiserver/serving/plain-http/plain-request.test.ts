import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type PlainMessage, PlainReader } from './plain-request.js'

const headerBytes = 10_000

function read(text: string): PlainMessage | undefined {
  return new PlainReader(headerBytes).read(Buffer.from(text, 'latin1'))
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n'
const post = 'POST / HTTP/1.1\r\nHost: x\r\n'

const plain = {
  'a get': `${get}\r\n`,
  'each method that changes things': `${post}\r\n`,
  'a put': 'PUT /a HTTP/1.1\r\nHost: x\r\n\r\n',
  'a patch': 'PATCH /a HTTP/1.1\r\nHost: x\r\n\r\n',
  'a delete with a body': 'DELETE /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
  'a target with all sorts of characters': 'GET /a%2f?b=c&d[]={"e":1}#f HTTP/1.1\r\nHost: x\r\n\r\n',
  'a body': `${post}content-length: 5\r\n\r\nhello`,
  'a body that looks like a request': `${post}content-length: ${get.length}\r\n\r\n${get}`,
  'a length with zeros before it': `${post}Content-Length: 0005\r\n\r\nhello`,
  'a host without a name': 'GET / HTTP/1.1\r\nHost:\r\n\r\n',
  'a value of nothing': `${get}a:\r\nb: \t \r\n\r\n`,
  'a value without a space before it': `${get}a:b\r\n\r\n`,
  'values in UTF-8, also such as end like a space': `${get}a: ${Buffer.from('voilà').toString('latin1')}\r\nb: \xa0\r\n\r\n`,
  'a connection that stays': `${get}Connection: Keep-Alive\r\n\r\n`,
  'a connection that ends': `${get}Connection: CLOSE\r\n\r\n`,
}

const notPlain = {
  'nothing at all': '',
  'half a head': get,
  'a request and what comes after it': `${get}\r\n${get}\r\n`,
  'an empty line before the request': `\r\n${get}\r\n`,
  'HTTP/1.0': 'GET / HTTP/1.0\r\nHost: x\r\n\r\n',
  'another HTTP': 'GET / HTTP/1.2\r\nHost: x\r\n\r\n',
  'a method in lower case': 'get / HTTP/1.1\r\nHost: x\r\n\r\n',
  'a head alone': 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n',
  'a method that it does not know': 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n',
  'a tunnel': 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target as proxies send it': 'GET https://x/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target that is all of it': 'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target that is no path': 'GET !a HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target with a space': 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target beyond ASCII': 'GET /\xe4 HTTP/1.1\r\nHost: x\r\n\r\n',
  'no host': 'GET / HTTP/1.1\r\na: b\r\n\r\n',
  'no header': 'GET / HTTP/1.1\r\n\r\n',
  'two hosts': `${get}host: y\r\n\r\n`,
  'a header twice': `${get}a: b\r\nA: c\r\n\r\n`,
  'a header twice that says nothing': `${get}a:\r\na:\r\n\r\n`,
  'a header that goes on in the next line': `${get}a: b\r\n c\r\n\r\n`,
  'a space before the colon': `${get}a : b\r\n\r\n`,
  'a header without a name': `${get}: b\r\n\r\n`,
  'a header without a colon': `${get}a\r\n\r\n`,
  'a bare line feed in a value': `${get}a: b\nc: d\r\n\r\n`,
  'bare line feeds': 'GET / HTTP/1.1\nHost: x\n\n',
  'a bare carriage return in a value': `${get}a: b\rc: d\r\n\r\n`,
  'a null byte in a value': `${get}a: b\0\r\n\r\n`,
  'a control character in a value': `${get}a: b\x01\r\n\r\n`,
  'the last of the control characters': `${get}a: b\x7f\r\n\r\n`,
  'a null byte in a name': `${get}a\0: b\r\n\r\n`,
  'a header that objects have from birth': `${get}constructor: b\r\n\r\n`,
  'a header that changes what objects are': `${get}__proto__: b\r\n\r\n`,
  chunks: `${post}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunks and a length': `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  'a length and chunks': `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a client that wants to be asked': `${post}Expect: 100-continue\r\nContent-Length: 0\r\n\r\n`,
  'a protocol to change to': `${get}Upgrade: websocket\r\n\r\n`,
  'a change of protocol': `${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'a connection with more than one word': `${get}Connection: keep-alive, close\r\n\r\n`,
  'a connection without a word': `${get}Connection:\r\n\r\n`,
  'trailers that may come': `${get}TE: trailers\r\n\r\n`,
  'trailers that will come': `${post}Trailer: a\r\n\r\n`,
  'settings of HTTP/2': `${get}HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
  'a connection as old proxies name it': `${get}Proxy-Connection: close\r\n\r\n`,
  'a header of which Node makes a list': `${get}Set-Cookie: a=b\r\n\r\n`,
  'a body without a length': `${post}\r\nhello`,
  'a body that is too short': `${post}Content-Length: 6\r\n\r\nhello`,
  'a body that is too long': `${post}Content-Length: 4\r\n\r\nhello`,
  'a length with a sign': `${post}Content-Length: +5\r\n\r\nhello`,
  'a length below zero': `${post}Content-Length: -5\r\n\r\nhello`,
  'a length in hexadecimal': `${post}Content-Length: 0x5\r\n\r\nhello`,
  'a length with an exponent': `${post}Content-Length: 5e0\r\n\r\nhello`,
  'a length that is no whole number': `${post}Content-Length: 5.0\r\n\r\nhello`,
  'a length of nothing': `${post}Content-Length:\r\n\r\n`,
  'a length of many digits': `${post}Content-Length: 0000000005\r\n\r\nhello`,
  'two lengths': `${post}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
  'a list of lengths': `${post}Content-Length: 5, 5\r\n\r\nhello`,
  'a head that is too long': `${get}a: ${'x'.repeat(headerBytes)}\r\n\r\n`,
}

describe('a request', () => {
  for (const [what, text] of Object.entries(plain))
    test(`with ${what} is plain, and read as Node reads it`, async () => assert.ok(await isReadAlike(text)))

  for (const [what, text] of Object.entries(notPlain))
    test(`with ${what} is for Node`, () => assert.equal(read(text), undefined))

  test('is read in no time even if it was made to take long', () => {
    for (const filling of ['a', ' ', '\t', 'a ', '\xa0'])
      for (const end of ['\x01\r\n\r\n', '\r \r\n\r\n', '\n\r\n\r\n'])
        assert.equal(read(`${get}a: ${filling.repeat(4_000)}${end}`), undefined)
    assert.ok(read(`${get}a:${' '.repeat(8_000)}\r\n\r\n`))
  })

  test('of which the head is as long as it may be is plain', () => {
    const text = `${get}a: ${'x'.repeat(headerBytes - get.length - 5)}\r\n\r\n`
    assert.equal(text.indexOf('\r\n\r\n') + 2, headerBytes)
    assert.ok(read(text))
  })

  test('is never read otherwise than Node does', async () => {
    let taken = 0
    await fc.assert(
      fc.asyncProperty(nearlyPlain, async (text) => {
        if (await isReadAlike(text)) taken++
      }),
      { numRuns: 2_000 },
    )
    assert.ok(taken > 200, `only ${taken} of them were plain`)
  })
})

describe('a head that comes again', () => {
  test('is the same for both, and another is not', () => {
    const reader = new PlainReader(headerBytes)
    const seen = ['a: 1', 'a: 1', 'a: 2', 'a: 1'].map((line) => {
      const message = reader.read(
        Buffer.from(`GET /${line} HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`.replace('/a: ', '/')),
      )
      return [message?.url, message?.head.headers.a]
    })
    assert.deepEqual(seen, [
      ['/1', '1'],
      ['/1', '1'],
      ['/2', '2'],
      ['/1', '1'],
    ])
  })

  test('has a body of its own', () => {
    const reader = new PlainReader(headerBytes)
    const bodies = ['hello', 'again'].map((body) =>
      String(reader.read(Buffer.from(`${post}Content-Length: 5\r\n\r\n${body}`))?.bytes),
    )
    assert.deepEqual(bodies, ['hello', 'again'])
  })

  test('and is not plain is for Node each time', () => {
    const reader = new PlainReader(headerBytes)
    for (let index = 0; index < 2; index++)
      assert.equal(reader.read(Buffer.from(`${get}Expect: 100-continue\r\n\r\n`)), undefined)
  })
})

function textOf(lowest: number, highest: number): fc.Arbitrary<string> {
  const unit = fc.integer({ min: lowest, max: highest }).map((code) => String.fromCharCode(code))
  return fc.string({ unit, maxLength: 5 })
}

/** Mostly the first, and now and then one of the others. */
function mostly(usual: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, ...others.map((other) => fc.constant(other)))
}

const name = fc.constantFrom(
  'a',
  'Accept',
  'Content-Length',
  'Connection',
  'Host',
  'Cookie',
  'b',
  'x-y',
  'x_y',
  'valueOf',
)
const value = fc.oneof(
  fc.constantFrom('5', 'close', 'Keep-Alive', '', ' ', '\t', 'a b', '\xa0', '\xc3\xa0', 'x\xa0 ', 'gzip, br'),
  textOf(0x20, 0xff),
  textOf(0, 0xff),
)
const line = fc
  .tuple(name, mostly(': ', ':', ':\t', ' :'), value, mostly('\r\n', ' \r\n', '\n'))
  .map((all) => all.join(''))
const target = fc.oneof(
  fc.constantFrom('/', '/api/v1/pods?limit=5', '*', 'http://x/', '/#a#b', '//', '/\\"<>^`{|}'),
  textOf(0x21, 0x7e).map((text) => `/${text}`),
)
const nearlyPlain = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    target,
    lines: fc.array(line, { maxLength: 3 }),
    rest: mostly('\r\n', 'Content-Length: 5\r\n\r\nhello', 'content-length:4 \r\n\r\n\r\n\r\n', '\r\nhello'),
    change: fc.option(fc.record({ at: fc.nat(80), code: fc.nat(255) }), { freq: 1 }),
  })
  .map(({ method, target, lines, rest, change }) => {
    const text = `${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines.join('')}${rest}`
    return change ? text.slice(0, change.at) + String.fromCharCode(change.code) + text.slice(change.at + 1) : text
  })

/** False: it is not plain, so that Node reads it anyhow. */
async function isReadAlike(text: string): Promise<boolean> {
  const message = read(text)
  if (!message) return false
  const { method, url, head, bytes } = message
  const [first, second] = await readByNode(text)
  const { headers, rawHeaders, isLast } = head
  assert.deepEqual(first, { method, url, headers, rawHeaders, isLast, body: Buffer.from(bytes).toString('latin1') })
  // Node, too, was at the end of it there; after a last one it takes no more.
  if (!isLast) assert.equal(second?.url, '/after')
  return true
}

type Seen = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'> & { isLast: boolean; body: string }

/** All requests that Node finds in this and in one that comes after it. */
async function readByNode(text: string): Promise<Seen[]> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const { method, url, headers, rawHeaders } = request
    const one: Seen = { method, url, headers, rawHeaders, isLast: !response.shouldKeepAlive, body: '' }
    seen.push(one)
    request.on('data', (chunk) => {
      one.body += chunk.toString('latin1')
    })
    request.on('end', () => response.end())
    request.on('error', () => {}) // it broke off, and is not what the test looks for
  })
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  connection.on('error', () => {})
  server.emit('connection', connection)
  connection.push(Buffer.from(text, 'latin1'))
  connection.push(Buffer.from('GET /after HTTP/1.1\r\nHost: x\r\n\r\n'))
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  connection.destroy()
  return seen
}
