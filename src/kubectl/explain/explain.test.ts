import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { comparisonSuite } from '../comparison.test.kit.js'
import { wrappedLines } from './wrap.js'

comparisonSuite('our kubectl explain', {
  'says which fields there are as the original does': (both) =>
    both.sameLines(`
      explain pods
      explain pods.spec
      explain pods --recursive
      explain pods.spec.containers --recursive
      explain pods.spec.containers.image
      explain pods.spec.restartPolicy
      explain pods.metadata.labels
      explain pods.spec.containers.resources.limits
      explain svc.spec.ports.targetPort
      explain ing.spec.rules.http.paths.pathType
      explain deploy.spec.strategy
      explain deployments.apps.spec.replicas
      explain Deployment
      explain pods.
      explain hpa.spec.targetCPUUtilizationPercentage --api-version=autoscaling/v1
      explain crd.spec.versions.schema.openAPIV3Schema --recursive
    `),
  'does so in the older form': (both) =>
    both.sameLines(`
      explain pods --output=plaintext-openapiv2
      explain pods.spec --output=plaintext-openapiv2 --recursive
      explain pods.spec.containers --output=plaintext-openapiv2
      explain pods.metadata.labels --output=plaintext-openapiv2
      explain pods.spec.nodeName --output=plaintext-openapiv2
      explain pods.spec.nodeName.foo --output=plaintext-openapiv2
      explain crd.spec.versions.schema.openAPIV3Schema --recursive --output=plaintext-openapiv2
      explain crd.spec.versions.schema.openAPIV3Schema.additionalItems --output=plaintext-openapiv2
      explain pods.spec.nosuch --output=plaintext-openapiv2
      explain pods --output=plaintext-openapiv2 --api-version=v2
    `),
  'refuses what the original refuses, in the same words': (both) =>
    both.sameLines(`
      explain
      explain a b
      explain nosuch
      explain pods.spec.nosuch
      explain pods.metadata.labels.foo
      explain deployments.v1.apps.spec
      explain events.events.k8s.io
      explain deployments.apps --api-version=apps/v1
      explain deployments --api-version=foo/v1
      explain pods --output=nosuch
    `),
  'breaks long descriptions where the original does': async (both) => {
    const server = await serving(documents)
    const { port } = server.address() as AddressInfo
    try {
      await both.sameLines(`
        explain widgets --server=http://127.0.0.1:${port}
        explain widgets.spec --server=http://127.0.0.1:${port}
        explain widgets.spec.parts --server=http://127.0.0.1:${port}
        explain widgets.spec.nested --server=http://127.0.0.1:${port}
        explain widgets.spec.colour --server=http://127.0.0.1:${port}
        explain widgets.spec --recursive --server=http://127.0.0.1:${port}
      `)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  },
})

test('the older form has no empty line after a first line that is short', () => {
  assert.deepEqual(wrappedLines('One\n\ntwo\n\nthree', 9), ['One', 'two', '', 'three'])
})

test('the older form keeps lists, code and empty lines apart', () => {
  const text = 'One\ntwo three:\nfour\n\n- five\n- six\n    code  here\nseven'
  assert.deepEqual(wrappedLines(text, 9), [
    'One two',
    'three:',
    'four',
    '',
    '- five',
    '- six',
    '    code  here',
    'seven',
  ])
})

function serving(answers: Readonly<Record<string, unknown>>): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = answers[request.url!.replace(/\?.*/, '')]
    response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

const long = 'words that go on until the line is full and somebody has to decide where the next one begins, '
const kind = { group: 'example.com', version: 'v1', kind: 'Widget' }
const reference = (name: string) => ({ $ref: `#/components/schemas/com.example.v1.${name}` })

const spec = {
  type: 'object',
  description: `What is wanted.\n\n${long.repeat(2)}\n- one\n- two: ${'x'.repeat(90)} end`,
  required: ['size'],
  properties: {
    size: { type: 'integer', description: `How large it is:\n${long}` },
    colour: { type: 'string', enum: ['red', 'green', 'blue', 'black', 'white', ''], description: ' red  or green ' },
    parts: { type: 'array', description: 'What it is made of.', items: reference('Part') },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    nested: { type: 'object', additionalProperties: { allOf: [reference('Part')], description: 'By name.' } },
    again: { allOf: [reference('Widget')], description: 'In a circle.' },
    anything: { 'x-kubernetes-preserve-unknown-fields': true },
  },
}

const groupVersion = { groupVersion: 'example.com/v1', version: 'v1' }

const documents = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [{ name: 'example.com', versions: [groupVersion], preferredVersion: groupVersion }],
  },
  '/apis/example.com/v1': {
    kind: 'APIResourceList',
    groupVersion: 'example.com/v1',
    resources: [{ name: 'widgets', singularName: 'widget', namespaced: true, kind: 'Widget', verbs: ['get', 'list'] }],
  },
  '/openapi/v3': { paths: { 'apis/example.com/v1': { serverRelativeURL: '/openapi/v3/apis/example.com/v1' } } },
  '/openapi/v3/apis/example.com/v1': {
    openapi: '3.0.0',
    paths: { '/apis/example.com/v1/widgets': { get: { 'x-kubernetes-group-version-kind': kind } } },
    components: {
      schemas: {
        'com.example.v1.Part': {
          type: 'object',
          description: 'A part.',
          properties: { name: { type: 'string', description: 'Its name.' } },
        },
        'com.example.v1.Widget': {
          type: 'object',
          description: `A widget. ${long.repeat(3)}`,
          properties: { spec },
          'x-kubernetes-group-version-kind': [kind],
        },
      },
    },
  },
}
