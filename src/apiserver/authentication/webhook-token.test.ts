import { deepStrictEqual as deepEqual, strictEqual as equal, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { type JsonServiceResponse, startJsonService } from '../../testing/servers/json-service.js'
import { webhookClient } from '../outgoing/webhook-client.js'
import { loadWebhookConfig } from '../outgoing/webhook-config.js'
import { webhookTokenAuthenticator } from './webhook-token.js'

interface Spec {
  readonly spec: { readonly token: string; readonly audiences: readonly string[] }
}

async function setting(context: TestContext, answer: (spec: Spec['spec'], count: number) => JsonServiceResponse) {
  const clock = new VirtualClock()
  const service = await startJsonService(context, ({ body }) => answer((body as Spec).spec, service.requests.length))
  const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'webhook.yaml')
  const config = {
    clusters: [{ name: 'hook', cluster: { server: `${service.url}/ask`, 'certificate-authority': 'ca.pem' } }],
    users: [{ name: 'server', user: { token: 'secret-of-server' } }],
    contexts: [{ name: 'it', context: { cluster: 'hook', user: 'server' } }],
    'current-context': 'it',
  }
  writeFileSync(join(folder, 'ca.pem'), service.authority)
  writeFileSync(file, JSON.stringify(config))
  const client = webhookClient(await loadWebhookConfig(file), environment({ clock }))
  const tokens = webhookTokenAuthenticator({ client, clock, version: 'v1', ttl: 120_000, audiences: ['here'] })
  return {
    clock,
    service,
    ask: async (token: string, audiences?: readonly string[]) => tokens.authenticate(token, audiences),
  }
}

const jane = { username: 'jane', uid: '7', groups: ['dev'], extra: { scopes: ['view'] } }
const known = (status: object = {}): JsonServiceResponse => ({
  body: { status: { authenticated: true, user: jane, ...status } },
})

describe('A webhook', () => {
  it('says whom a token speaks for', async (context) => {
    const { ask, service } = await setting(context, () => known())
    deepEqual(await ask('opaque'), {
      name: 'jane',
      uid: '7',
      groups: ['dev'],
      extra: { scopes: ['view'] },
      audiences: ['here'],
    })
    deepEqual(service.requests, [
      {
        method: 'POST',
        path: '/ask',
        authorization: 'Bearer secret-of-server',
        body: {
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1',
          spec: { token: 'opaque', audiences: ['here'] },
        },
      },
    ])
  })

  it('is not asked again for two minutes, and only once by many at once', async (context) => {
    const { ask, service, clock } = await setting(context, () => known())
    await Promise.all([ask('a'), ask('a'), ask('a')])
    await ask('a')
    equal(service.requests.length, 1)
    await ask('b')
    await ask('a', ['here', 'there'])
    equal(service.requests.length, 3)
    await clock.advance('2m1s')
    await ask('a')
    equal(service.requests.length, 4)
  })

  it('may not know a token, or refuse it', async (context) => {
    const { ask } = await setting(context, ({ token }) =>
      token === 'bad' ? { body: { status: { error: 'token bad is bad' } } } : { body: { status: {} } },
    )
    equal(await ask('unknown'), undefined)
    await rejects(ask('bad'), { message: 'the webhook rejected the token' })
  })

  it('that authenticates for another audience does not count', async (context) => {
    const { ask } = await setting(context, () => known({ audiences: ['there'] }))
    equal(await ask('opaque'), undefined)
    deepEqual((await ask('opaque', ['there']))?.audiences, ['there'])
  })

  it('is asked again where that may help, and its failure is not remembered', async (context) => {
    const { ask, service, clock } = await setting(context, (_, count) =>
      count < 3 ? { status: 500, body: {} } : known(),
    )
    let user: object | undefined
    const asking = ask('opaque').then((found) => {
      user = found
    })
    while (!user) {
      await new Promise((resolve) => setImmediate(resolve))
      await clock.advance('2s')
    }
    await asking
    equal(service.requests.length, 3)
  })

  it('that answers with nonsense identifies nobody', async (context) => {
    const { ask } = await setting(context, ({ token }) =>
      token === 'refused' ? { status: 403, body: {} } : { body: null },
    )
    await rejects(ask('refused'), { message: 'the webhook responded with status 403' })
    equal(await ask('null'), undefined)
  })
})
