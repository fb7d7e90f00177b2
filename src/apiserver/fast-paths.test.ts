import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { type Clock, systemClock } from '../base/clock.js'
import { environment } from '../base/environment.js'
import { seededRandom } from '../base/random.js'
import { adminToken, startTestApiServer } from '../testing/servers/api-server.js'
import { allFastPaths, type FastPaths, noFastPaths, parseFastPaths } from './fast-paths.js'
import { objectEncoder, simpleEncoder } from './response/object-encoder.js'
import { PlainRequest } from './serving/plain-http/plain-request.js'

test('the list of fast paths is read as --controllers is', () => {
  assert.deepEqual(parseFastPaths(['*']), allFastPaths)
  assert.deepEqual(parseFastPaths(['none']), noFastPaths)
  assert.deepEqual(parseFastPaths(['*', '-plain-http']), { ...allFastPaths, plainHttp: false })
  assert.deepEqual(parseFastPaths(['decoding']), { ...noFastPaths, decoding: true })
  assert.throws(() => parseFastPaths(['warp']), /unknown fast path warp/)
})

interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

interface Response {
  readonly status: string
  /** Sorted, names in lower case, without `date`: Node takes that from the clock of the host. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

const core = '/api/v1/namespaces/default'
const maps = `${core}/configmaps`
const pods = `${core}/pods`
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const protobuf = 'application/vnd.kubernetes.protobuf'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

const get = (path: string, accept?: string): Request => ({ method: 'GET', path, headers: accept ? { accept } : {} })
const remove = (path: string, body?: object): Request => ({
  method: 'DELETE',
  path,
  ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
})
const write = (method: string, path: string, body: unknown, type = 'application/json'): Request => ({
  method,
  path,
  headers: { 'content-type': type },
  body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
})
const post = (path: string, body: unknown) => write('POST', path, body)
const patch = (path: string, kind: string, body: unknown) => write('PATCH', path, body, `application/${kind}`)

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }] },
}
const deployment = { metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template } }
const applied = `
apiVersion: v1
kind: ConfigMap
metadata: { name: applied, labels: { tier: back } }
data: { by: apply, text: "naïve – 日本語" }
`
const filler = Array.from({ length: 12 }, (_, index) =>
  post(maps, { metadata: { name: `filler-${index}`, labels: { size: 'large' } }, data: { text: 'x'.repeat(12_000) } }),
)

/** Requests in their order. A function makes a request from the previous response. */
const requests: readonly (Request | ((previous: Response) => Request))[] = [
  // creates
  post(`${core}/serviceaccounts`, { metadata: { name: 'default' } }),
  post(maps, {
    metadata: { name: 'one', labels: { tier: 'front' } },
    data: { text: 'naïve – 日本語', 'a.b': 'l\n"q"' },
  }),
  post(maps, { metadata: { generateName: 'two-' }, data: { b: '2', a: '1' }, binaryData: { raw: 'AAEC' } }),
  post(`${maps}?dryRun=All`, { metadata: { name: 'dry' } }),
  post(pods, { metadata: { name: 'single', labels: { app: 'single' } }, spec: template.spec }),
  post(deployments, deployment),
  ...filler,
  // rejected creates
  post(maps, { metadata: { name: 'one' } }),
  post(maps, { metadata: { name: 'Not A Name' } }),
  post(pods, { metadata: { name: 'empty' }, spec: { containers: [] } }),
  post(maps, '{"metadata":{"name":"twice","name":"last"},"data":{"a":"1"},"extra":1}'),
  post(`${maps}?fieldValidation=Strict`, '{"metadata":{"name":"strict","name":"last"},"extra":1}'),
  post(maps, '{"metadata":{"name":"number"},"data":{"a":1}}'),
  post(maps, '{"metadata":'),
  post(maps, '{"metadata":{"name":"proto"},"__proto__":{"a":1}}'),
  post(deployments, '{"metadata":{"name":"large"},"spec":{"replicas":12345678901234567890}}'),
  write('POST', maps, 'text', 'text/plain'),
  // updates and patches
  get(`${maps}/one`),
  ({ body }) => write('PUT', `${maps}/one`, { ...JSON.parse(body.toString()), data: { text: 'updated' } }),
  write('PUT', `${maps}/one`, { metadata: { name: 'one', resourceVersion: '1' } }),
  get(`${maps}/one`, protobuf),
  ({ body }) => write('PUT', `${maps}/one`, body, protobuf),
  patch(`${maps}/one`, 'json-patch+json', [{ op: 'add', path: '/data/patched', value: 'json' }]),
  patch(`${maps}/one`, 'json-patch+json', [{ op: 'test', path: '/data/patched', value: 'other' }]),
  patch(`${maps}/one`, 'merge-patch+json', { data: { patched: null, merged: 'ü' } }),
  patch(`${deployments}/web`, 'strategic-merge-patch+json', {
    spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } },
  }),
  patch(`${deployments}/web/scale`, 'merge-patch+json', { spec: { replicas: 2 } }),
  patch(`${maps}/applied?fieldManager=test`, 'apply-patch+yaml', applied),
  patch(`${maps}/one?fieldManager=test`, 'apply-patch+yaml', applied.replace('name: applied', 'name: one')),
  patch(`${maps}/applied`, 'apply-patch+yaml', applied),
  // reads
  ...[undefined, protobuf, table, partial, 'application/yaml', 'text/csv'].flatMap((accept) =>
    [maps, pods, deployments, `${maps}/one`, `${deployments}/web`].map((path) => get(path, accept)),
  ),
  get(`${maps}/one?pretty=true`),
  get(`${maps}/missing`),
  get(`${maps}/missing`, protobuf),
  get('/api/v1/nothing'),
  get('/api/v1/configmaps?labelSelector=tier%20in%20(front,back)'),
  get(`${maps}?fieldSelector=metadata.name%3Done`, table),
  get(`${maps}?labelSelector=!!`),
  get(`${maps}?limit=4`),
  ({ body }) => get(`${maps}?limit=4&continue=${JSON.parse(body.toString()).metadata.continue}`),
  get(`${maps}?limit=4&continue=broken`),
  { ...get(maps), headers: { 'accept-encoding': 'gzip' } },
  { ...get(maps, protobuf), headers: { accept: protobuf, 'accept-encoding': 'gzip' } },
  get('/apis'),
  get('/version'),
  { ...get(maps), method: 'HEAD' },
  { ...get(maps), headers: { authorization: 'Bearer wrong' } },
  // deletes
  remove(`${maps}/one`, { preconditions: { uid: 'other' } }),
  remove(`${maps}/one`),
  remove(`${pods}/single`, { gracePeriodSeconds: 0 }),
  remove(`${maps}?labelSelector=size%3Dlarge`),
  remove(`${maps}/missing`),
]

/** Watches that are open while the requests are sent. */
const watches: readonly Request[] = [undefined, protobuf, table].flatMap((accept) =>
  [maps, pods, deployments].map((path) =>
    get(`${path}?watch=1&resourceVersion=0&allowWatchBookmarks=true&timeoutSeconds=300`, accept),
  ),
)

const plainMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Sends a request in one piece, on a connection of its own. */
function open(url: string, { method, path, headers = {}, body = '' }: Request): TLSSocket {
  const { hostname: host, port } = new URL(url)
  const bytes = Buffer.from(body)
  const all = {
    host,
    connection: 'close',
    authorization: `Bearer ${adminToken}`,
    ...(bytes.length > 0 && { 'content-length': bytes.length }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false })
  socket.write(Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]))
  return socket
}

async function responseOf(socket: TLSSocket): Promise<Response> {
  const bytes = Buffer.concat(await socket.toArray())
  const end = bytes.indexOf('\r\n\r\n')
  const [status, ...headers] = bytes.toString('latin1', 0, end).split('\r\n')
  const body = bytes.subarray(end + 4)
  const isChunked = headers.some((line) => /^transfer-encoding: chunked/i.test(line))
  return {
    status: status!,
    headers: headers
      .map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()))
      .filter((line) => !line.startsWith('date:'))
      .sort(),
    body: isChunked ? joinedChunks(body) : body,
  }
}

function joinedChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    chunks.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(chunks)
}

interface Run {
  readonly responses: readonly Response[]
  readonly plainRequests: number
}

/** The wall clock stands still, and random values come from a seed: responses are the same to the byte, identifiers and times included. */
async function runWith(fastPaths: FastPaths): Promise<Run> {
  const clock: Clock = {
    now: () => Date.UTC(2026, 0, 1),
    monotonic: () => systemClock.monotonic(),
    timer: (delay, run) => systemClock.timer(delay, run),
  }
  let plainRequests = 0
  const traffic = {
    connected() {},
    requested(request: unknown) {
      if (request instanceof PlainRequest) plainRequests++
    },
  }
  const server = await startTestApiServer({
    environment: environment({ clock, random: seededRandom(1) }),
    options: { fastPaths, traffic },
  })
  try {
    const watching: Promise<Response>[] = []
    for (const watch of watches) {
      const socket = open(server.url, watch)
      await new Promise((resolve) => socket.once('readable', resolve))
      watching.push(responseOf(socket))
    }
    const responses: Response[] = []
    for (const request of requests) {
      const next = typeof request === 'function' ? request(responses.at(-1)!) : request
      responses.push(await responseOf(open(server.url, next)))
    }
    server.api.endWatches()
    return { responses: [...(await Promise.all(watching)), ...responses], plainRequests }
  } finally {
    await server.close()
  }
}

function assertSame(actual: Run, expected: Run, name: string): void {
  for (const [index, response] of expected.responses.entries()) {
    const request = [...watches, ...requests][index]
    const shown = typeof request === 'function' ? `request ${index}` : `${request?.method} ${request?.path}`
    const text = ({ status, headers, body }: Response) => [status, ...headers, body.toString('latin1')]
    assert.deepEqual(text(actual.responses[index]!), text(response), `${name}: ${shown}`)
  }
}

test('responses are the same to the byte with and without each fast path', async () => {
  const fast = await runWith(allFastPaths)
  const codes = new Set(fast.responses.map(({ status }) => status.split(' ')[1]))
  assert.deepEqual([...codes].sort(), ['200', '201', '400', '401', '404', '405', '406', '409', '415', '422'])
  const plain = [...watches, ...requests].filter((request) =>
    plainMethods.has('method' in request ? request.method : 'GET'),
  )
  assert.equal(fast.plainRequests, plain.length, 'requests on the plain lane')
  const simple = await runWith(noFastPaths)
  assert.equal(simple.plainRequests, 0)
  assertSame(simple, fast, 'without any')
  for (const name of Object.keys(allFastPaths))
    assertSame(await runWith({ ...allFastPaths, [name]: false }), fast, `without ${name}`)
})

test('each switch selects the simple version', () => {
  assert.equal(objectEncoder(false), simpleEncoder)
  assert.notEqual(objectEncoder(true), simpleEncoder)
})
