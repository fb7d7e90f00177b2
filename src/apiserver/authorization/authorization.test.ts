import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ApiError } from '../../api/errors.js'
import { builtin } from '../../api/scheme.js'
import { environment } from '../../base/environment.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { Admission } from '../admission/admission.js'
import { openObjectStore } from '../cache/cached-object-store.js'
import { ResourceMap } from '../registry/resource-map.js'
import type { ApiRequest, RequestContext } from '../request/request-context.js'
import { requestInfo } from '../request/request-info.js'
import { anonymous, type RequestUser } from '../request/user.js'
import { Timestamps } from '../verbs/verb-scope.js'
import type { AuthorizationResult, Authorizer } from './authorizer.js'
import { authorizerChain, checkModes } from './chain.js'
import { bootstrapRoles } from './rbac/bootstrap-roles.js'
import { RbacAuthorizer } from './rbac/rbac-authorizer.js'
import { authorizationStage } from './stage.js'

const alice: RequestUser = { name: 'alice', uid: '', groups: ['system:authenticated'], extra: {} }
const admin: RequestUser = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} }

/** As a new cluster has them. */
const surroundings = environment()
const store = await openObjectStore(new MemoryStore({ environment: surroundings }), surroundings)
const resources = new ResourceMap(builtin, store, {})
const admission = new Admission([])
const authorize = () => ({ decision: 'no-opinion', reason: '' }) as const
const { signal: closing } = new AbortController()
const parts = {
  environment: surroundings,
  timestamps: new Timestamps(surroundings.clock),
  store,
  scheme: builtin,
  admission,
  allowPrivileged: false,
  notices: new Map<string, string>(),
  authorize,
  closing,
}
await bootstrapRoles(resources, parts)
after(() => store.close())
const chain = async (...modes: readonly string[]) =>
  (await authorizerChain({ modes }, surroundings))(resources, new RbacAuthorizer(resources))
const standard = await chain('Node', 'RBAC')

function exchangeOf(line: string, user: RequestUser): RequestContext {
  const [method = '', target = ''] = line.split(' ')
  const [path = '', search] = target.split('?')
  const query = new URLSearchParams(search)
  const body = () => assert.fail('whether somebody may does not stand in the body')
  const request: ApiRequest = {
    method,
    path,
    query,
    headers: {},
    body,
    signal: AbortSignal.abort(),
    peer: { address: '' },
  }
  const unset = { isKnown: false, response: undefined, decision: '', reason: '' }
  const info = requestInfo(method, path, query)
  return { request, id: 'id', received: 0, began: 0, info, user, warnings: new Set(), headers: {}, ...unset }
}

/** `allowed`, or the status of the refusal. */
async function outcome(line: string, user: RequestUser, authorizers: readonly Authorizer[] = standard) {
  const context = exchangeOf(line, user)
  try {
    await authorizationStage(authorizers).run(context)
    assert.equal(context.decision, 'allowed')
    return 'allowed'
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error.status()
  }
}

describe('a refusal', () => {
  // As upstream's server was seen to say it.
  const cases: Readonly<Record<string, string>> = {
    'GET /api/v1/namespaces/ns/configmaps/a':
      'configmaps "a" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "ns"',
    'GET /api/v1/namespaces/ns/configmaps?watch=1':
      'configmaps is forbidden: User "alice" cannot watch resource "configmaps" in API group "" in the namespace "ns"',
    'DELETE /api/v1/namespaces/ns/configmaps':
      'configmaps is forbidden: User "alice" cannot deletecollection resource "configmaps" in API group "" in the namespace "ns"',
    'GET /api/v1/nodes/n1':
      'nodes "n1" is forbidden: User "alice" cannot get resource "nodes" in API group "" at the cluster scope',
    'GET /apis/apps/v1/deployments?watch=1':
      'deployments.apps is forbidden: User "alice" cannot watch resource "deployments" in API group "apps" at the cluster scope',
    'POST /api/v1/namespaces':
      'namespaces is forbidden: User "alice" cannot create resource "namespaces" in API group "" at the cluster scope',
    'DELETE /api/v1/namespaces/default':
      'namespaces "default" is forbidden: User "alice" cannot delete resource "namespaces" in API group "" in the namespace "default"',
    'GET /api/v1/namespaces/ns/pods/a/log':
      'pods "a" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "ns"',
    'PATCH /apis/apps/v1/namespaces/ns/deployments/a/status':
      'deployments.apps "a" is forbidden: User "alice" cannot patch resource "deployments/status" in API group "apps" in the namespace "ns"',
    'PUT /api/v1/namespaces/ns/finalize':
      'namespaces "ns" is forbidden: User "alice" cannot update resource "namespaces/finalize" in API group "" in the namespace "ns"',
    'GET /api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Dapi':
      'secrets "api" is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "ns"',
    'GET /api/v1/namespaces/ns/secrets?fieldSelector=metadata.name!%3Dapi':
      'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "ns"',
    'DELETE /api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Dapi':
      'secrets is forbidden: User "alice" cannot deletecollection resource "secrets" in API group "" in the namespace "ns"',
    'GET /api/v1/namespaces/ns/secrets?fieldSelector=((':
      'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "ns"',
    'GET /metrics': 'forbidden: User "alice" cannot get path "/metrics"',
    'POST /openapi/v2': 'forbidden: User "alice" cannot post path "/openapi/v2"',
    'GET /<script>&': 'forbidden: User "alice" cannot get path "/&lt;script&gt;&amp;"',
  }
  for (const [line, message] of Object.entries(cases))
    test(`of ${line} says what and where`, async () => {
      const status = await outcome(line, alice)
      assert.ok(status !== 'allowed')
      assert.deepEqual([status.message, status.reason, status.code], [message, 'Forbidden', 403])
    })

  test('says what it is about, also to programs', async () => {
    const details = async (line: string) => {
      const status = await outcome(line, alice)
      return status === 'allowed' ? status : status.details
    }
    assert.deepEqual(await details('GET /apis/apps/v1/namespaces/ns/deployments/a'), {
      name: 'a',
      group: 'apps',
      kind: 'deployments',
    })
    assert.deepEqual(await details('GET /metrics'), {})
  })
})

describe('who may do what', () => {
  test('system:masters may do everything, whatever the mode', async () => {
    for (const mode of ['RBAC', 'AlwaysDeny', 'AlwaysAllow'])
      for (const line of ['GET /metrics', 'DELETE /api/v1/nodes', 'POST /api/v1/namespaces/x/pods/y/exec'])
        assert.equal(await outcome(line, admin, await chain(mode)), 'allowed')
  })

  test('everybody may ask for health and version, and nothing more', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/'])
      for (const user of [anonymous, alice]) assert.equal(await outcome(`GET ${path}`, user), 'allowed')
    for (const line of ['GET /healthz/etcd', 'POST /healthz', 'GET /api', 'GET /', 'GET /versions', 'GET /openapi/v2'])
      assert.notEqual(await outcome(line, anonymous), 'allowed')
  })

  test('those who are known may find out what is served', async () => {
    for (const path of ['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/openapi/v2', '/openapi/v3/api/v1'])
      assert.equal(await outcome(`GET ${path}`, alice), 'allowed')
    for (const path of ['/', '/metrics', '/apiserver', '/debug/pprof/', '/api/v1/pods'])
      assert.notEqual(await outcome(`GET ${path}`, alice), 'allowed')
  })

  test('AlwaysAllow allows, AlwaysDeny says that it does not', async () => {
    assert.equal(await outcome('GET /metrics', alice, await chain('AlwaysAllow')), 'allowed')
    const status = await outcome('GET /metrics', alice, await chain('AlwaysDeny'))
    assert.ok(status !== 'allowed')
    assert.equal(status.message, 'forbidden: User "alice" cannot get path "/metrics": Everything is forbidden.')
  })

  test('modes that are not there are rejected in a sentence', () => {
    assert.throws(() => checkModes(['rbac']), /there is no authorization mode rbac; those that exist are/)
    assert.throws(() => checkModes(['constructor']), /there is no authorization mode constructor/)
    assert.throws(() => checkModes(['RBAC', 'RBAC']), /more than once/)
    assert.doesNotThrow(() => checkModes(['Node', 'RBAC', 'ABAC', 'Webhook']))
  })
})

describe('a chain of authorizers', () => {
  const saying = (decision: AuthorizationResult | Promise<AuthorizationResult>): Authorizer => ({
    name: 'test',
    authorize: () => decision,
  })
  const [allow, deny, none] = (['allow', 'deny', 'no-opinion'] as const).map((decision) =>
    saying({ decision, reason: decision }),
  )
  const slow = (decision: AuthorizationResult['decision'], reason = decision as string) =>
    saying(Promise.resolve({ decision, reason }))
  const failing: Authorizer[] = [
    { name: 'at once', authorize: () => assert.fail('broken') },
    { name: 'later', authorize: () => Promise.reject(new Error('unreachable')) },
  ]
  const messageOf = async (...authorizers: (Authorizer | undefined)[]) => {
    const status = await outcome('GET /x', alice, authorizers as Authorizer[])
    return status === 'allowed' ? status : `${status.code} ${status.message}`
  }
  const prefix = '403 forbidden: User "alice" cannot get path "/x"'

  test('goes by the first opinion', async () => {
    assert.equal(await messageOf(none, allow, deny), 'allowed')
    assert.equal(await messageOf(none, deny, allow), `${prefix}: deny`)
    assert.equal(await messageOf(slow('no-opinion'), slow('allow'), deny), 'allowed')
    assert.equal(await messageOf(slow('deny'), allow), `${prefix}: deny`)
  })

  test('says no where nobody has an opinion, with all reasons', async () => {
    assert.equal(await messageOf(), prefix)
    assert.equal(
      await messageOf(none, slow('no-opinion', ''), slow('no-opinion', 'other')),
      `${prefix}: no-opinion\nother`,
    )
  })

  test('never lets anybody in because something failed', async () => {
    assert.equal(await messageOf(...failing), '500 Internal error occurred: broken, unreachable')
    assert.equal(await messageOf(...failing, none), '500 Internal error occurred: broken, unreachable')
    assert.equal(await messageOf(...failing, deny), `${prefix}: deny`)
    assert.equal(await messageOf(...failing, allow), 'allowed')
  })
})
