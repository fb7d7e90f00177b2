import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminToken, startTestApiServer } from '../testing/servers/api-server.js'
import { sendRaw } from '../testing/servers/whoami.js'
import { allFastPaths, type FastPaths, noFastPaths, parseFastPaths } from './fast-paths.js'

test('the list of fast paths is read as --controllers is', () => {
  assert.deepEqual(parseFastPaths(['*']), allFastPaths)
  assert.deepEqual(parseFastPaths(['none']), noFastPaths)
  assert.deepEqual(parseFastPaths(['*', '-plain-http']), { ...allFastPaths, plainHttp: false })
  assert.deepEqual(parseFastPaths(['decoding']), { ...noFastPaths, decoding: true })
  assert.throws(() => parseFastPaths(['warp']), /unknown fast path warp/)
})

const path = '/api/v1/namespaces/default/configmaps'
const json = ['content-type', 'application/json']
const table = ['accept', 'application/json;as=Table;v=v1;g=meta.k8s.io']
const protobuf = ['accept', 'application/vnd.kubernetes.protobuf']
const create = (name: string, data: object) =>
  ({ method: 'POST', path, headers: json, body: JSON.stringify({ metadata: { name }, data }) }) as const

const requests = [
  create('one', { text: 'plain', 'with.dots': 'line\nfeed "quoted"' }),
  create('two', { b: '2', a: '1' }),
  { method: 'POST', path, headers: json, body: '{"metadata":{"name":"twice","name":"last"},"data":{"a":1}}' },
  { method: 'POST', path, headers: json, body: '{"metadata":' },
  { path: `${path}/one`, headers: [] },
  { path: `${path}/missing`, headers: [] },
  { path, headers: [] },
  { path, headers: table },
  { path, headers: protobuf },
  { path: `${path}/two`, headers: protobuf },
  { path: `${path}/two?pretty=true`, headers: ['accept', 'application/yaml'] },
  { path: `${path}?watch=1&resourceVersion=0&timeoutSeconds=1`, headers: [] },
  { method: 'DELETE', path: `${path}/one`, headers: [] },
]

/** Replaces what differs between two servers: identifiers, times and secrets. */
function masked(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/-----BEGIN[^"]*/g, 'PEM')
    .replace(/"\d+s"/g, '"AGE"')
}

/** Times are binary there: the protobuf tests compare the content. */
function isProtobuf({ headers }: { readonly headers: readonly string[] }): boolean {
  return headers === protobuf
}

async function responsesWith(fastPaths: FastPaths): Promise<readonly object[]> {
  const server = await startTestApiServer({ options: { fastPaths } })
  try {
    const responses: object[] = []
    for (const request of requests) {
      const headers = ['authorization', `Bearer ${adminToken}`, ...request.headers]
      const { status, text, headers: sent } = await sendRaw(server, { ...request, headers })
      const { date: _date, 'audit-id': _id, 'content-length': _length, ...rest } = sent
      responses.push({
        request: request.path,
        status,
        headers: masked(JSON.stringify(rest)),
        text: isProtobuf(request) ? '' : masked(text),
      })
    }
    return responses
  } finally {
    await server.close()
  }
}

test('responses are the same with and without each fast path', async () => {
  const fast = await responsesWith(allFastPaths)
  assert.deepEqual(await responsesWith(noFastPaths), fast)
  for (const name of Object.keys(allFastPaths))
    assert.deepEqual(await responsesWith({ ...allFastPaths, [name]: false }), fast, `without ${name}`)
})
