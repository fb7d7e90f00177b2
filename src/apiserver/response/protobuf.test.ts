import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { builtin } from '../../api/scheme.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { decodeProtobuf } from '../../schema/protobuf/decode.js'
import { encodeProtobuf } from '../../schema/protobuf/encode.js'
import { hasProtobuf } from '../../schema/protobuf/layout.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inEnvelope, openEnvelope, protobufType } from '../../wire/protobuf.js'

interface Sent {
  readonly method?: string
  readonly path: string
  readonly accept?: string
  readonly contentType?: string
  readonly body?: Uint8Array | string
}

interface Received {
  readonly code: number
  readonly contentType: string
  readonly body: Buffer
}

type Members = Readonly<Record<string, unknown>>

const configMaps = '/api/v1/namespaces/default/configmaps'

describe('protobuf is spoken', () => {
  let server: TestApiServer
  before(async () => {
    server = await startTestApiServer()
  })
  after(() => server.close())

  async function open({ method = 'GET', path, accept, contentType, body }: Sent): Promise<IncomingMessage> {
    const headers = {
      authorization: `Bearer ${server.token}`,
      ...(accept && { accept }),
      ...(contentType && { 'content-type': contentType }),
      ...(body && { 'content-length': Buffer.byteLength(body) }),
    }
    const sent = request(`${server.url}${path}`, { method, ca: server.authority, headers })
    sent.end(body)
    const [response] = await once(sent, 'response')
    return response
  }

  async function send(sent: Sent): Promise<Received> {
    const response = await open(sent)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const { statusCode = 0, headers } = response
    return { code: statusCode, contentType: headers['content-type'] ?? '', body: Buffer.concat(chunks) }
  }

  const post = (body: Uint8Array | string, more: Partial<Sent> = {}) =>
    send({ method: 'POST', path: configMaps, contentType: protobufType, accept: protobufType, body, ...more })

  const json = async (path: string) => JSON.parse((await send({ path })).body.toString()) as Members

  test('an object goes in and comes out', async () => {
    const created = await post(configMap('there-and-back', { a: '1' }))
    assert.deepEqual([created.code, created.contentType], [201, protobufType])
    assert.deepEqual(opened(created.body), await json(`${configMaps}/there-and-back`))
    const read = await send({ path: `${configMaps}/there-and-back`, accept: `${protobufType},application/json` })
    assert.deepEqual(read.body, created.body)
  })

  test('an object is replaced', async () => {
    await post(configMap('replaced', { a: '1' }))
    const changed = await post(configMap('replaced', { a: '2' }), { method: 'PUT', path: `${configMaps}/replaced` })
    assert.equal(changed.code, 200)
    assert.deepEqual((await json(`${configMaps}/replaced`)).data, { a: '2' })
  })

  test('a list holds the same objects, without their type', async () => {
    await post(configMap('listed', { a: '1' }))
    const { body } = await send({ path: `${configMaps}?limit=500`, accept: protobufType })
    const list = opened(body)
    assert.deepEqual(list, await json(configMaps))
    assert.equal(list.kind, 'ConfigMapList')
  })

  test('a client that prefers JSON, or does not say, gets JSON', async () => {
    for (const accept of ['application/json', '', '*/*', `application/json,${protobufType}`])
      assert.equal((await send({ path: configMaps, accept })).contentType, 'application/json')
  })

  test('a table is never protobuf: what the client likes next is', async () => {
    const form = 'as=Table;g=meta.k8s.io;v=v1'
    const path = configMaps
    const both = await send({ path, accept: `${protobufType};${form},application/json;${form}` })
    assert.equal(JSON.parse(both.body.toString()).kind, 'Table')
    assert.equal((await send({ path, accept: `${protobufType};${form}` })).code, 406)
  })

  const mute = builtin.resources.find((type) => type.kind.resource.verbs.includes('create') && !hasProtobuf(type))
  test('kinds without numbers are told in what the client likes next', {
    skip: !mute && 'every kind has its numbers by now',
  }, async () => {
    const path = `/apis/${mute!.kind.apiVersion}/${mute!.kind.resource.plural}`
    const both = await send({ path, accept: `${protobufType},application/json` })
    assert.deepEqual([both.code, both.contentType], [200, 'application/json'])
    assert.equal((await send({ path, accept: protobufType })).code, 406)
    const sent = await send({ method: 'POST', path, contentType: protobufType, body: configMap('x', {}) })
    assert.equal(sent.code, 415)
  })

  test('refusals and successes are statuses', async () => {
    const { code, body } = await send({ path: `${configMaps}/nobody`, accept: protobufType })
    assert.equal(code, 404)
    const { kind, apiVersion, message } = openEnvelope(body)
    assert.deepEqual([apiVersion, kind], ['v1', 'Status'])
    assert.equal(decoded('meta/v1.Status', message).message, 'configmaps "nobody" not found')
  })

  test('options for a deletion are read', async () => {
    await post(configMap('deleted', {}))
    const options = { preconditions: { uid: 'another' }, propagationPolicy: 'Background' }
    const message = encodeProtobuf(builtin.type('meta/v1.DeleteOptions'), options)
    const body = inEnvelope({ apiVersion: 'v1', kind: 'DeleteOptions', message })
    const deletion = { method: 'DELETE', path: `${configMaps}/deleted`, contentType: protobufType }
    assert.equal((await send({ ...deletion, body })).code, 409)
    const anyone = inEnvelope({ apiVersion: 'v1', kind: 'DeleteOptions', message: new Uint8Array(0) })
    assert.equal((await send({ ...deletion, body: anyone })).code, 200)
    assert.equal((await send({ ...deletion, body: 'no protobuf' })).code, 400)
  })

  test('only metadata is shown to who asks for it', async () => {
    await post(configMap('shown', { secret: 'x' }))
    const accept = `${protobufType};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`
    const { message, ...type } = openEnvelope((await send({ path: `${configMaps}/shown`, accept })).body)
    assert.deepEqual(type, { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' })
    const { metadata } = await json(`${configMaps}/shown`)
    assert.deepEqual(decoded('core/v1.Namespace', message).metadata, metadata)
    const listed = `${protobufType};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`
    const list = openEnvelope((await send({ path: configMaps, accept: listed })).body)
    assert.equal(list.kind, 'PartialObjectMetadataList')
    const shown = decoded('core/v1.NamespaceList', list.message).items as { metadata: { name: string } }[]
    assert.ok(shown.some((item) => item.metadata.name === 'shown'))
  })

  test('discovery is told', async () => {
    for (const [path, type] of Object.entries({
      '/api': 'meta/v1.APIVersions',
      '/apis': 'meta/v1.APIGroupList',
      '/apis/apps': 'meta/v1.APIGroup',
      '/apis/apps/v1': 'meta/v1.APIResourceList',
    })) {
      const { message, kind } = openEnvelope((await send({ path, accept: protobufType })).body)
      const { kind: expectedKind, apiVersion: _version, ...expected } = await json(path)
      assert.equal(kind, expectedKind)
      assert.deepEqual(decoded(type, message), decodeValue(builtin.type(type), expected, 'Strict').object)
    }
  })

  test('a watch is a row of frames, each with its length before it', async () => {
    const response = await open({
      path: `${configMaps}?watch=1`,
      accept: `${protobufType};stream=watch,${protobufType}`,
    })
    assert.equal(response.headers['content-type'], `${protobufType};stream=watch`)
    await post(configMap('watched', { a: '1' }))
    let received = Buffer.alloc(0)
    for await (const chunk of response) {
      received = Buffer.concat([received, chunk])
      if (framesIn(received).some(({ object }) => nameOf(object) === 'watched')) break
    }
    const last = framesIn(received).at(-1)!
    assert.equal(last.type, 'ADDED')
    assert.deepEqual(last.object, await json(`${configMaps}/watched`))
  })

  test('what is no envelope is rejected in the words that clients know', async () => {
    const messageOf = ({ body }: Received) => decoded('meta/v1.Status', openEnvelope(body).message).message
    const empty = Buffer.from('k8s\0')
    assert.equal(
      messageOf(await post('{"kind":"ConfigMap"}')),
      'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"kind":"ConfigMap"})',
    )
    assert.equal(
      messageOf(await post(empty)),
      'the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)',
    )
    assert.equal(
      messageOf(await post(inEnvelope({ apiVersion: 'v1', kind: 'ConfigMap', message: Buffer.from('0a05', 'hex') }))),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
    )
    assert.equal(
      messageOf(await post(inEnvelope({ apiVersion: 'v1', kind: 'ConfigMap', message: Buffer.from('0801', 'hex') }))),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field Metadata',
    )
  })

  test('bytes of any kind are an object or a bad request', async () => {
    const whole = configMap('noise', { a: '1' })
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const body = Buffer.from(whole)
        for (const [at, byte] of changes) body[at] = byte
        const { code } = await post(body, { path: `${configMaps}?dryRun=All` })
        assert.ok([201, 400, 422].includes(code), `answered ${code}`)
      }),
      { numRuns: 200 },
    )
  })
})

function configMap(name: string, data: Readonly<Record<string, string>>): Buffer {
  const message = encodeProtobuf(builtin.type('core/v1.ConfigMap'), { metadata: { name }, data })
  return inEnvelope({ apiVersion: 'v1', kind: 'ConfigMap', message })
}

function decoded(type: string, message: Uint8Array): Members {
  return decodeValue(builtin.type(type), decodeProtobuf(builtin.type(type), message), 'Strict').object
}

/** An object out of its envelope, as JSON would have it. */
function opened(bytes: Uint8Array): Members {
  const { apiVersion, kind, message } = openEnvelope(bytes)
  return { kind, apiVersion, ...decoded(builtin.kind(apiVersion, kind)!.name, message) }
}

function framesIn(bytes: Buffer): { type: string; object: Members }[] {
  const frames: { type: string; object: Members }[] = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    // Type in field 1, the object in field 1 of field 2: short enough here for lengths of one and two bytes.
    const typeLength = bytes[at + 5]!
    const envelope = bytes.indexOf('k8s\0', at)
    frames.push({
      type: bytes.toString('utf8', at + 6, at + 6 + typeLength),
      object: opened(bytes.subarray(envelope, end)),
    })
    at = end
  }
  return frames
}

function nameOf({ metadata }: Members): unknown {
  return (metadata as { name?: string }).name
}
