import { deepStrictEqual as deepEqual, strictEqual as equal, match, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { environment } from '../../../base/environment.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { type JsonServiceResponse, startJsonService } from '../../../testing/servers/json-service.js'
import { question, startGate, user } from '../authorization.test.kit.js'
import type { AuthorizationAttributes, Authorizer } from '../authorizer.js'
import { authorizerChain } from '../chain.js'

interface Spec {
  readonly user?: string
  readonly resourceAttributes?: { readonly verb: string; readonly resource: string }
}

/** A webhook, and files that say where it is. */
async function service(context: TestContext, answer: (spec: Spec) => JsonServiceResponse) {
  const asked = await startJsonService(context, ({ body }) => answer((body as { spec: Spec }).spec))
  const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const configFile = join(folder, 'webhook.yaml')
  writeFileSync(join(folder, 'ca.pem'), asked.authority)
  const cluster = { server: `${asked.url}/authorize`, 'certificate-authority': 'ca.pem' }
  writeFileSync(configFile, JSON.stringify({ clusters: [{ name: 'hook', cluster }] }))
  const write = (settings: object) => {
    const path = join(folder, 'authorization.yaml')
    const connectionInfo = { type: 'KubeConfigFile', kubeConfigFile: configFile }
    const webhook = {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'Deny',
      connectionInfo,
      ...settings,
    }
    const authorizers = [{ type: 'Webhook', name: 'hook', webhook }, { type: 'RBAC' }]
    const apiVersion = 'apiserver.config.k8s.io/v1'
    writeFileSync(path, JSON.stringify({ apiVersion, kind: 'AuthorizationConfiguration', authorizers }))
    return path
  }
  return { requests: asked.requests, configFile, write }
}

async function setting(
  context: TestContext,
  answer: (spec: Spec) => JsonServiceResponse,
  version: 'v1' | 'v1beta1' = 'v1',
) {
  const { requests, configFile } = await service(context, answer)
  const clock = new VirtualClock()
  const webhook = { configFile, version, authorizedTtl: 300_000, unauthorizedTtl: 30_000 }
  const chain = await authorizerChain({ modes: ['Webhook'], webhook }, environment({ clock }))
  const [, authorizer] = chain(undefined as never, undefined as never) as readonly [Authorizer, Authorizer]
  return { clock, requests, ask: async (attributes: AuthorizationAttributes) => authorizer.authorize(attributes) }
}

const says = (status: object): JsonServiceResponse => ({ body: { status } })
const jane = { ...user('jane', 'dev'), uid: '7', extra: { scopes: ['a'] } }
const list = question(jane, 'list', 'pods/log', {
  namespace: 'here',
  fieldSelector: [{ field: 'spec.nodeName', operator: '=', value: 'n' }],
  labelSelector: [
    { key: 'app', operator: '!=', values: ['x'] },
    { key: 'weight', operator: 'gt', values: ['1'] },
    { key: 'tier', operator: 'exists', values: [] },
  ],
})

describe('A webhook that decides', () => {
  it('is told everything that there is to know about a request', async (context) => {
    const { ask, requests } = await setting(context, () => says({ allowed: true, reason: 'because' }))
    deepEqual(await ask(list), { decision: 'allow', reason: 'because' })
    deepEqual(requests[0]?.body, {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: {
        resourceAttributes: {
          namespace: 'here',
          verb: 'list',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n'] }] },
          labelSelector: {
            requirements: [
              { key: 'app', operator: 'NotIn', values: ['x'] },
              { key: 'tier', operator: 'Exists' },
            ],
          },
        },
        user: 'jane',
        groups: ['dev'],
        extra: { scopes: ['a'] },
        uid: '7',
      },
    })
  })

  it('may speak the older version, in which groups are called otherwise', async (context) => {
    const { ask, requests } = await setting(context, () => says({ allowed: false }), 'v1beta1')
    const path = question(jane, 'get', '', { isResource: false, path: '/x' })
    deepEqual(await ask(path), { decision: 'no-opinion', reason: '' })
    const { apiVersion, spec } = requests[0]!.body as { apiVersion: string; spec: object }
    equal(apiVersion, 'authorization.k8s.io/v1beta1')
    deepEqual(spec, {
      nonResourceAttributes: { path: '/x', verb: 'get' },
      user: 'jane',
      group: ['dev'],
      extra: { scopes: ['a'] },
      uid: '7',
    })
  })

  it('says no by denying, also if it says yes in the same breath', async (context) => {
    const { ask } = await setting(context, ({ user: name }) =>
      says(name === 'both' ? { allowed: true, denied: true } : { denied: true, reason: 'never' }),
    )
    deepEqual(await ask(list), { decision: 'deny', reason: 'never' })
    equal((await ask({ ...list, user: user('both') })).decision, 'deny')
  })

  it('is asked again when its answer has grown old: a no sooner than a yes', async (context) => {
    const { ask, requests, clock } = await setting(context, ({ user: name }) => says({ allowed: name === 'jane' }))
    const john = { ...list, user: user('john') }
    await Promise.all([ask(list), ask(list), ask(john)])
    await ask(list)
    equal(requests.length, 2)
    await clock.advance('31s')
    await Promise.all([ask(list), ask(john)])
    equal(requests.length, 3)
    await clock.advance('5m')
    await ask(list)
    equal(requests.length, 4)
  })

  it('is asked every time about what is too long to remember', async (context) => {
    const { ask, requests } = await setting(context, () => says({ allowed: true }))
    const long = { ...list, name: 'x'.repeat(10_000) }
    await ask(long)
    await ask(long)
    equal(requests.length, 2)
  })

  it('that fails lets nobody in, and is remembered for nothing', async (context) => {
    let isDown = true
    const { ask, clock } = await setting(context, () => (isDown ? { status: 400, body: {} } : says({ allowed: true })))
    deepEqual(await ask(list), { decision: 'no-opinion', reason: '', error: 'the webhook responded with status 400' })
    isDown = false
    await clock.advance('1s')
    equal((await ask(list)).decision, 'allow')
  })

  it('closes the door when it fails and is configured so, or leaves it to the others', async (context) => {
    for (const [failurePolicy, status] of [
      ['Deny', 500],
      ['NoOpinion', 200],
    ] as const) {
      const { write } = await service(context, () => ({ status: 400, body: {} }))
      const configFile = write({ failurePolicy })
      const tokens = ['jane-token,jane,7']
      const gate = await startGate({ tokens, options: { authorization: { modes: [], configFile } } })
      context.after(() => gate.close())
      const answer = await gate.ask('GET', '/version', undefined, ['authorization', 'Bearer jane-token'])
      equal(answer.status, status, failurePolicy)
      equal((await gate.ask('GET', '/api/v1/nodes')).status, 200) // those who may everything are not its business
    }
  })

  it('is configured in a file, of which every mistake is told', async (context) => {
    const { write } = await service(context, () => says({}))
    const load = (settings: object) => authorizerChain({ modes: [], configFile: write(settings) }, environment())
    await load({})
    await rejects(load({ failurePolicy: 'Shrug' }), /authorizers\[0\]: failurePolicy must be NoOpinion or Deny/)
    await rejects(load({ timeout: 'soon' }), /timeout must be a length of time/)
    await rejects(load({ subjectAccessReviewVersion: 'v7' }), /must be v1 or v1beta1/)
    await rejects(load({ connectionInfo: { type: 'Telepathy' } }), /connectionInfo must be of type KubeConfigFile/)
    await rejects(load({ matchConditions: [{ expression: 'true' }] }), /matchConditions are not supported yet/)
    const modes = (...names: readonly string[]) => authorizerChain({ modes: names }, environment())
    await rejects(modes('Node', 'Node'), /Node is named more than once/)
    await rejects(modes('Magic'), /there is no authorization mode Magic; those that exist are Node, RBAC/)
    await rejects(modes('ABAC'), /needs --authorization-policy-file/)
    await rejects(modes('Webhook'), (error: Error) => {
      match(error.message, /needs --authorization-webhook-config-file/)
      return true
    })
  })
})
