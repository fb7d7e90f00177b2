import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { openapiV2 } from '../schema/openapi/version2.js'
import { openapiV2Protobuf } from '../schema/openapi/version2-protobuf.js'
import { openapiV3, openapiV3Paths } from '../schema/openapi/version3.js'
import { builtin } from './scheme.js'

const publication = { info: { title: 'Kubernetes', version: 'v1.36.0' } }

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly JsonObject[]
  readonly responses: Record<string, JsonObject>
  readonly 'x-kubernetes-action'?: string
}

type Paths = Record<string, Record<string, Operation> & { parameters?: readonly JsonObject[] }>

const version2 = openapiV2(builtin, publication)
const version3 = openapiV3Paths(builtin, publication).map((path): [string, JsonObject] => [
  path,
  openapiV3(builtin, path, publication)!,
])
const documents: [string, JsonObject][] = [['version 2', version2], ...version3]

function operations({
  paths,
}: JsonObject): { path: string; method: string; operation: Operation; shared: JsonObject[] }[] {
  return Object.entries(paths as unknown as Paths).flatMap(([path, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, shared: [...shared] })),
  )
}

/** Resolves a local reference; returns other values unchanged. */
function resolve(document: JsonObject, value: JsonObject): JsonObject {
  if (value.$ref === undefined) return value
  const steps = String(value.$ref).slice('#/'.length).split('/')
  const found = steps.reduce<JsonValue | undefined>(
    (inside, step) => (inside as JsonObject | undefined)?.[step],
    document,
  )
  assert.ok(found !== undefined, `${value.$ref} leads nowhere`)
  return found as JsonObject
}

function references(value: JsonValue, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  if (!Array.isArray(value) && typeof (value as JsonObject).$ref === 'string')
    found.add((value as JsonObject).$ref as string)
  for (const inside of Object.values(value)) references(inside, found)
  return found
}

test('every reference has a target within its document', () => {
  for (const [, document] of documents) for (const $ref of references(document)) resolve(document, { $ref })
})

test('every definition is used', () => {
  for (const [name, document] of documents) {
    const schemas = (document.definitions ?? (document.components as JsonObject).schemas ?? {}) as JsonObject
    const prefix = name === 'version 2' ? '#/definitions/' : '#/components/schemas/'
    const led = references(document)
    assert.deepEqual(
      Object.keys(schemas).filter((schema) => !led.has(prefix + schema)),
      [],
    )
  }
})

test('operation names are unique within a document', () => {
  for (const [, document] of documents) {
    const ids = operations(document).map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
  }
})

test('exactly the parameters in a path are declared, each once', () => {
  for (const [, document] of documents) {
    for (const { path, operation, shared } of operations(document)) {
      const parameters = [...shared, ...(operation.parameters ?? [])].map((each) => resolve(document, each))
      const named = parameters.filter((each) => each.in === 'path').map((each) => each.name)
      assert.deepEqual(named.sort(), [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort(), path)
      const keys = parameters.map((each) => `${each.in} ${each.name}`)
      assert.equal(new Set(keys).size, keys.length, path)
      assert.ok(parameters.every((each) => each.in !== 'path' || each.required === true))
    }
  }
})

test('every response has a description, and every path starts with a slash', () => {
  for (const [, document] of documents) {
    for (const { path, operation } of operations(document)) {
      assert.ok(path.startsWith('/'))
      assert.ok(Object.keys(operation.responses).length > 0)
      for (const answer of Object.values(operation.responses)) assert.equal(typeof answer.description, 'string')
    }
  }
})

test('all documents of version 3 together have the operations of version 2', () => {
  const ids = (from: readonly JsonObject[]) =>
    from.flatMap((document) =>
      operations(document).map(({ path, method, operation }) => `${method} ${path} ${operation.operationId}`),
    )
  const together = ids(version3.map(([, document]) => document))
  assert.deepEqual(together.sort(), ids([version2]).sort())
})

test('every verb of every resource and subresource has an operation', () => {
  const methods: Record<string, string> = {
    create: 'post',
    update: 'put',
    list: 'get',
    watch: 'get',
    deletecollection: 'delete',
  }
  const there = new Set(operations(version2).map(({ path, method }) => `${method} ${path}`))
  for (const { kind } of builtin.resources) {
    const { resource, group, version } = kind
    const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const scope = resource.namespaced ? '/namespaces/{namespace}' : ''
    for (const verb of resource.verbs) {
      const collection = ['create', 'list', 'deletecollection', 'watch'].includes(verb)
      const path = `${base}${verb === 'watch' ? '/watch' : ''}${scope}/${resource.plural}${collection ? '' : '/{name}'}`
      assert.ok(there.has(`${methods[verb] ?? verb} ${path}`), `${verb} ${path}`)
    }
    for (const [name, { verbs }] of Object.entries(resource.subresources)) {
      const path = `${base}${scope}/${resource.plural}/{name}/${name}`
      for (const verb of verbs) assert.ok(there.has(`${methods[verb] ?? verb} ${path}`), `${verb} ${path}`)
    }
  }
})

test('operations have the names from which client libraries are generated', () => {
  const ids = new Map(
    operations(version2).map(({ path, method, operation }) => [`${method} ${path}`, operation.operationId]),
  )
  const expected = {
    'post /apis/apps/v1/namespaces/{namespace}/deployments': 'createAppsV1NamespacedDeployment',
    'get /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale': 'readAppsV1NamespacedDeploymentScale',
    'get /api/v1/pods': 'listCoreV1PodForAllNamespaces',
    'get /api/v1/watch/namespaces/{namespace}/pods': 'watchCoreV1NamespacedPodList',
    'get /api/v1/watch/namespaces/{namespace}/pods/{name}': 'watchCoreV1NamespacedPod',
    'get /api/v1/watch/pods': 'watchCoreV1PodListForAllNamespaces',
    'get /api/v1/namespaces/{namespace}/pods/{name}/log': 'readCoreV1NamespacedPodLog',
    'post /api/v1/namespaces/{namespace}/pods/{name}/exec': 'connectCoreV1PostNamespacedPodExec',
    'options /api/v1/nodes/{name}/proxy/{path}': 'connectCoreV1OptionsNodeProxyWithPath',
    'post /api/v1/namespaces/{namespace}/pods/{name}/eviction': 'createCoreV1NamespacedPodEviction',
    'put /api/v1/namespaces/{name}/finalize': 'replaceCoreV1NamespaceFinalize',
    'delete /api/v1/nodes': 'deleteCoreV1CollectionNode',
    'post /apis/rbac.authorization.k8s.io/v1/clusterroles': 'createRbacAuthorizationV1ClusterRole',
    'get /apis/flowcontrol.apiserver.k8s.io/v1/': 'getFlowcontrolApiserverV1APIResources',
    'get /apis/apps/': 'getAppsAPIGroup',
    'get /apis/': 'getAPIVersions',
    'get /api/': 'getCoreAPIVersions',
    'get /api/v1/': 'getCoreV1APIResources',
    'get /version/': 'getCodeVersion',
    'get /openid/v1/jwks/': 'getServiceAccountIssuerOpenIDKeyset',
    'get /.well-known/openid-configuration/': 'getServiceAccountIssuerOpenIDConfiguration',
  }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, ids.get(key)])), expected)
})

test('the log of a pod is text, with query parameters', () => {
  const { parameters, get } = (version2.paths as unknown as Paths)['/api/v1/namespaces/{namespace}/pods/{name}/log']!
  assert.deepEqual(get!.responses[200]!.schema, { type: 'string' })
  const names = parameters!.map((each) => resolve(version2, each).name)
  assert.deepEqual(names, [
    'container',
    'follow',
    'insecureSkipTLSVerifyBackend',
    'limitBytes',
    'name',
    'namespace',
    'pretty',
    'previous',
    'sinceSeconds',
    'stream',
    'tailLines',
    'timestamps',
  ])
})

test('documents are deterministic', () => {
  assert.equal(JSON.stringify(openapiV2(builtin, publication)), JSON.stringify(version2))
  for (const [path, document] of version3) {
    assert.equal(JSON.stringify(openapiV3(builtin, path, publication)), JSON.stringify(document))
  }
})

test('the whole document can be encoded as protobuf', () => {
  const bytes = openapiV2Protobuf(version2)
  assert.ok(Buffer.from(bytes).includes('io.k8s.api.apps.v1.DeploymentSpec'))
  assert.ok(bytes.length > 500_000)
})
