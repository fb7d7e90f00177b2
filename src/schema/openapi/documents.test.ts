import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../declaration.js'
import { publication, scheme } from './toys.test.data.js'
import { openapiV2 } from './version2.js'
import { openapiV3, openapiV3Index, openapiV3Paths } from './version3.js'

type Paths = Record<string, Record<string, JsonObject>>

function pathsOf(document: JsonObject | undefined): Paths {
  return document!.paths as Paths
}

function operationIds(paths: Paths): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(item)) {
      if (method !== 'parameters') ids[`${method} ${path}`] = operationId as string
    }
  }
  return ids
}

const v1 = '/apis/toys.k8s.io/v1'
const toys = `${v1}/namespaces/{namespace}/toys`

test('a kind is published with every verb, its subresources, and the deprecated watch paths', () => {
  assert.deepEqual(operationIds(pathsOf(openapiV3(scheme, 'apis/toys.k8s.io/v1', publication))), {
    [`get ${v1}/`]: 'getToysV1APIResources',
    [`get ${v1}/boxes/{name}`]: 'readToysV1Box',
    [`delete ${v1}/boxes/{name}`]: 'deleteToysV1Box',
    [`post ${toys}`]: 'createToysV1NamespacedToy',
    [`get ${toys}`]: 'listToysV1NamespacedToy',
    [`delete ${toys}`]: 'deleteToysV1CollectionNamespacedToy',
    [`get ${toys}/{name}`]: 'readToysV1NamespacedToy',
    [`put ${toys}/{name}`]: 'replaceToysV1NamespacedToy',
    [`patch ${toys}/{name}`]: 'patchToysV1NamespacedToy',
    [`delete ${toys}/{name}`]: 'deleteToysV1NamespacedToy',
    [`get ${toys}/{name}/gate`]: 'connectToysV1GetNamespacedToyGate',
    [`head ${toys}/{name}/gate`]: 'connectToysV1HeadNamespacedToyGate',
    [`options ${toys}/{name}/gate`]: 'connectToysV1OptionsNamespacedToyGate',
    [`get ${toys}/{name}/gate/{path}`]: 'connectToysV1GetNamespacedToyGateWithPath',
    [`head ${toys}/{name}/gate/{path}`]: 'connectToysV1HeadNamespacedToyGateWithPath',
    [`options ${toys}/{name}/gate/{path}`]: 'connectToysV1OptionsNamespacedToyGateWithPath',
    [`get ${toys}/{name}/squeak`]: 'readToysV1NamespacedToySqueak',
    [`get ${toys}/{name}/status`]: 'readToysV1NamespacedToyStatus',
    [`put ${toys}/{name}/status`]: 'replaceToysV1NamespacedToyStatus',
    [`patch ${toys}/{name}/status`]: 'patchToysV1NamespacedToyStatus',
    [`post ${toys}/{name}/swap`]: 'createToysV1NamespacedToySwap',
    [`get ${toys}/{name}/wire`]: 'connectToysV1GetNamespacedToyWire',
    [`post ${toys}/{name}/wire`]: 'connectToysV1PostNamespacedToyWire',
    [`get ${v1}/toys`]: 'listToysV1ToyForAllNamespaces',
    [`get ${v1}/watch/toys`]: 'watchToysV1ToyListForAllNamespaces',
    [`get ${v1}/watch/namespaces/{namespace}/toys`]: 'watchToysV1NamespacedToyList',
    [`get ${v1}/watch/namespaces/{namespace}/toys/{name}`]: 'watchToysV1NamespacedToy',
  })
})

test('an operation of version 3 has parameters, body, responses and media types', () => {
  const { patch, parameters } = pathsOf(openapiV3(scheme, 'apis/toys.k8s.io/v1', publication))[`${toys}/{name}`]!
  const content = { schema: { $ref: '#/components/schemas/com.example.toys.v1.Toy' } }
  const answer = {
    'application/json': content,
    'application/yaml': content,
    'application/vnd.kubernetes.protobuf': content,
  }
  const document = { schema: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch' } }
  const text = { type: 'string', uniqueItems: true }
  assert.deepEqual(patch, {
    tags: ['toys_v1'],
    operationId: 'patchToysV1NamespacedToy',
    parameters: [
      { in: 'query', name: 'dryRun', schema: text },
      { in: 'query', name: 'fieldManager', schema: text },
      { in: 'query', name: 'fieldValidation', schema: text },
      { in: 'query', name: 'force', schema: { type: 'boolean', uniqueItems: true } },
    ],
    requestBody: {
      content: {
        'application/json-patch+json': document,
        'application/merge-patch+json': document,
        'application/strategic-merge-patch+json': document,
        'application/apply-patch+yaml': document,
      },
      required: true,
    },
    responses: {
      200: { description: 'OK', content: answer },
      201: { description: 'Created', content: answer },
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group: 'toys.k8s.io', kind: 'Toy', version: 'v1' },
  })
  assert.deepEqual(parameters, [
    { in: 'path', name: 'name', required: true, schema: text },
    { in: 'path', name: 'namespace', required: true, schema: text },
    { in: 'query', name: 'pretty', schema: text },
  ])
})

test('an operation of version 2 refers to shared parameters, except for those that clients read from it', () => {
  const document = openapiV2(scheme, publication)
  const shared = document.parameters as Record<string, JsonObject>
  const { put } = pathsOf(document)[`${toys}/{name}`]!
  const [body, dryRun, fieldManager, fieldValidation] = put!.parameters as JsonObject[]
  assert.deepEqual(body, {
    in: 'body',
    name: 'body',
    required: true,
    schema: { $ref: '#/definitions/com.example.toys.v1.Toy' },
  })
  assert.deepEqual(dryRun, { in: 'query', name: 'dryRun', type: 'string', uniqueItems: true })
  assert.deepEqual(fieldValidation, { in: 'query', name: 'fieldValidation', type: 'string', uniqueItems: true })
  const reference = fieldManager?.$ref as string
  assert.match(reference, /^#\/parameters\/fieldManager-[\w-]{8}$/)
  assert.deepEqual(shared[reference.slice('#/parameters/'.length)], {
    in: 'query',
    name: 'fieldManager',
    type: 'string',
    uniqueItems: true,
  })
  assert.deepEqual(put!.consumes, ['*/*'])
  assert.deepEqual(put!.schemes, ['https'])
})

test('a delete returns a Status, or the object for kinds that are declared so', () => {
  const paths = pathsOf(openapiV2(scheme, publication))
  const answers = (path: string) => (paths[path]!.delete!.responses as Record<number, JsonObject>)[200]!.schema
  assert.deepEqual(answers(`${toys}/{name}`), { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Status' })
  assert.deepEqual(answers(`${v1}/boxes/{name}`), { $ref: '#/definitions/com.example.toys.v1.Box' })
})

test('a subresource has a kind of its own, returns text, or forwards the connection', () => {
  const paths = pathsOf(openapiV2(scheme, publication))
  const swap = paths[`${toys}/{name}/swap`]!.post!
  assert.deepEqual(swap['x-kubernetes-group-version-kind'], { group: 'toys.k8s.io', kind: 'Swap', version: 'v1' })
  const squeak = paths[`${toys}/{name}/squeak`]!.get!
  assert.equal((squeak.produces as string[])[0], 'text/plain')
  assert.deepEqual(squeak.responses, {
    200: { description: 'OK', schema: { type: 'string' } },
    401: { description: 'Unauthorized' },
  })
  const wire = paths[`${toys}/{name}/wire`]!.post!
  assert.equal(wire['x-kubernetes-action'], 'connect')
  assert.deepEqual(wire.produces, ['*/*'])
  assert.deepEqual(wire['x-kubernetes-group-version-kind'], {
    group: 'toys.k8s.io',
    kind: 'ToyWireOptions',
    version: 'v1',
  })
})

test('there is a document for each group, each of its versions, and each path of the server itself', () => {
  const paths = ['.well-known/openid-configuration', 'api', 'apis', 'apis/toys.k8s.io', 'apis/toys.k8s.io/v1']
  assert.deepEqual(openapiV3Paths(scheme, publication), [...paths, 'openid/v1/jwks', 'version'])
  assert.deepEqual(openapiV3Paths(scheme, { ...publication, logs: true }), [
    ...paths,
    'logs',
    'openid/v1/jwks',
    'version',
  ])
  assert.equal(openapiV3(scheme, 'apis/toys.k8s.io/v1beta1', publication), undefined)
})

test('a document of version 3 has only the definitions that it uses', () => {
  const { components, info, openapi } = openapiV3(scheme, 'apis/toys.k8s.io', publication) as Record<string, JsonObject>
  assert.equal(openapi, '3.0.0')
  assert.deepEqual(info, { title: 'Toys', version: 'v7' })
  assert.deepEqual(Object.keys(components!.schemas as JsonObject), ['io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup'])
})

test('the index gives each document a URL that changes with its content', () => {
  const index = openapiV3Index([
    ['version', 'abc'],
    ['apis/apps/v1', 'abd'],
  ]) as { paths: Record<string, { serverRelativeURL: string }> }
  assert.deepEqual(Object.keys(index.paths), ['apis/apps/v1', 'version'])
  assert.equal(
    index.paths.version!.serverRelativeURL,
    '/openapi/v3/version?hash=DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A' +
      '2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F',
  )
  assert.notEqual(
    index.paths['apis/apps/v1']!.serverRelativeURL.split('=')[1],
    index.paths.version!.serverRelativeURL.split('=')[1],
  )
})
