import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { openapiV2 } from '../schema/openapi/version2.js'
import { openapiV2Protobuf, openapiV2ProtobufType } from '../schema/openapi/version2-protobuf.js'
import { openapiV3, openapiV3Index, openapiV3Paths } from '../schema/openapi/version3.js'
import { kubectlMissing } from '../testing/kubectl/kubectl.js'
import { builtin } from './scheme.js'

const options = { skip: kubectlMissing() }
const publication = { info: { title: 'Kubernetes', version: 'v1.36.0' } }

/** Discovery responses, which kubectl requests before the documents. */
function discovery(path: string): JsonObject | undefined {
  if (path === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.0' }
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() }
  const groupVersion = /^\/(?:api|apis)\/(.+)$/.exec(path)?.[1]
  const resources = builtin.resources.filter(({ kind }) => kind.apiVersion === groupVersion)
  if (groupVersion === undefined || resources.length === 0) return undefined
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: resources.map(({ kind: { kind, resource } }) => ({
      name: resource.plural,
      singularName: resource.singular,
      namespaced: resource.namespaced,
      kind,
      verbs: resource.verbs,
    })),
  }
}

function groups(): JsonValue {
  const served = builtin.groups.filter(({ name, served }) => name !== '' && served.length > 0)
  return served.map(({ name, served }) => {
    const versions = served.map((version) => ({ groupVersion: `${name}/${version}`, version }))
    return { name, versions, preferredVersion: versions[0]! }
  })
}

class DocumentServer {
  /** Omits version 3 and the parameter `fieldValidation`, so that kubectl validates fields itself. */
  old = false
  readonly asked: string[] = []
  readonly #server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    this.asked.push(path)
    const body = this.#answer(path, request.headers.accept ?? '')
    if (body === undefined) response.writeHead(404).end()
    else if (body instanceof Uint8Array) response.writeHead(200, { 'content-type': openapiV2ProtobufType }).end(body)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(path: string, accept: string): JsonObject | Uint8Array | undefined {
    if (path === '/openapi/v2') {
      const document = openapiV2(builtin, publication)
      const told = this.old ? withoutFieldValidation(document) : document
      return accept.includes('protobuf') ? openapiV2Protobuf(told) : told
    }
    if (!path.startsWith('/openapi/v3')) return discovery(path)
    return this.old ? undefined : this.#version3(path.slice('/openapi/v3/'.length))
  }

  #version3(path: string): JsonObject | undefined {
    if (path !== '') return openapiV3(builtin, path, publication)
    const documents = openapiV3Paths(builtin, publication).map((each): [string, string] => [
      each,
      JSON.stringify(openapiV3(builtin, each, publication)),
    ])
    return openapiV3Index(documents)
  }
}

function withoutFieldValidation(document: JsonObject): JsonObject {
  const isIt = (value: unknown) => (value as { name?: unknown } | null)?.name === 'fieldValidation'
  const text = JSON.stringify(document, (_, value) => (Array.isArray(value) ? value.filter((it) => !isIt(it)) : value))
  return JSON.parse(text) as JsonObject
}

const server = new DocumentServer()
let home: string

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'proa-openapi-'))
  await server.listen()
})

after(async () => {
  await server.close()
  await rm(home, { recursive: true })
})

interface Outcome {
  readonly code: number
  readonly output: string
  readonly errors: string
}

function kubectl(args: readonly string[], input = ''): Promise<Outcome> {
  server.asked.length = 0
  const where = ['--server', server.address, '--cache-dir', join(home, server.old ? 'old' : 'new')]
  const env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: join(home, 'none') }
  return new Promise((resolve) => {
    const child = execFile('kubectl', [...where, ...args], { env }, (error, output, errors) => {
      resolve({ code: error ? Number(error.code) : 0, output, errors })
    })
    child.stdin?.end(input)
  })
}

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 80 }] }] },
    },
  },
}

test('kubectl explains nested fields of a deployment from version 3', options, async () => {
  const { code, output, errors } = await kubectl(['explain', 'deployment.spec.template.spec.containers', '--recursive'])
  assert.equal(code, 0, errors)
  assert.ok(server.asked.includes('/openapi/v3/apis/apps/v1'))
  assert.match(output, /FIELD: containers <\[\]Container>/)
  assert.match(output, /\n {2}name\t<string> -required-\n/)
  assert.match(output, /\n {2}livenessProbe\t<Probe>\n(?: {4}.*\n)* {4}httpGet\t<HTTPGetAction>\n/)
  assert.match(output, /\n {6}port\t<IntOrString> -required-\n/)
  assert.match(output, /\n {4}limits\t<map\[string\]Quantity>\n/)
})

test(
  'kubectl explains a field of a kind that is served in two versions, in the one it is asked for',
  options,
  async () => {
    const preferred = await kubectl(['explain', 'horizontalpodautoscalers.spec'])
    assert.match(preferred.output, /VERSION: {4}v2\n(?:.*\n)* {2}metrics\t<\[\]MetricSpec>\n/)
    const other = await kubectl(['explain', 'horizontalpodautoscalers.spec', '--api-version=autoscaling/v1'])
    assert.match(other.output, /VERSION: {4}v1\n(?:.*\n)* {2}targetCPUUtilizationPercentage\t<integer>\n/)
  },
)

test('kubectl explains from the protobuf form of version 2', options, async () => {
  const path = 'deployment.spec.template.spec.containers'
  const { code, output, errors } = await kubectl(['explain', path, '--recursive', '--output=plaintext-openapiv2'])
  assert.equal(code, 0, errors)
  assert.ok(server.asked.includes('/openapi/v2'))
  assert.match(output, /RESOURCE: containers <\[\]Object>/)
  assert.match(output, /\n {3}volumeMounts\t<\[\]Object>\n {6}mountPath\t<string>\n/)
  assert.match(output, /\n {6}limits\t<map\[string\]string>\n/)
})

test('kubectl reads required fields from the protobuf form of version 2', options, async () => {
  const { output } = await kubectl(['explain', 'deployment.spec', '--output=plaintext-openapiv2'])
  assert.match(output, /\n {3}selector\t<Object> -required-\n/)
  assert.match(output, /\n {3}paused\t<boolean>\n/)
})

test('kubectl leaves validation to a server whose documents offer it', options, async () => {
  const args = ['create', '--dry-run=client', '--validate=strict', '-o', 'name', '-f', '-']
  const { code, output, errors } = await kubectl(args, JSON.stringify(deployment))
  assert.equal(code, 0, errors)
  assert.equal(output, 'deployment.apps/web\n')
  assert.ok(server.asked.includes('/openapi/v3/apis/apps/v1'))
  assert.ok(!server.asked.includes('/openapi/v2'))
})

test(
  'kubectl checks fields itself by the definitions of version 2 when documents offer nothing else',
  options,
  async () => {
    server.old = true
    const args = ['create', '--dry-run=client', '--validate=strict', '-o', 'name', '-f', '-']
    const good = await kubectl(args, JSON.stringify(deployment))
    assert.equal(good.code, 0, good.errors)
    const { spec } = deployment
    const wrong = { ...deployment, spec: { ...spec, replicas: 'three', replcas: 3, selector: undefined } }
    const bad = await kubectl(args, JSON.stringify(wrong))
    assert.equal(bad.code, 1)
    assert.match(bad.errors, /unknown field "replcas" in io\.k8s\.api\.apps\.v1\.DeploymentSpec/)
    assert.match(bad.errors, /missing required field "selector" in io\.k8s\.api\.apps\.v1\.DeploymentSpec/)
    assert.match(bad.errors, /invalid type for io\.k8s\.api\.apps\.v1\.DeploymentSpec\.replicas/)
  },
)
