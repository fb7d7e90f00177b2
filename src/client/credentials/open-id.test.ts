import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { testAuthority, testServerCertificate } from '../../testing/servers/https-server.js'
import { connected, nameOf } from '../connect.test.kit.js'
import { failure } from '../kubeconfig/kubeconfig.test.kit.js'
import { parseKubeconfig } from '../kubeconfig/read.js'

const start = new VirtualClock().now()
/** What looks like a token of an issuer; the server knows it from a list. */
const token = (name: string, expires: number) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ sub: name, exp: expires / 1000 })}.signature`
}
const old = token('jane', start + 60_000)
const fresh = token('jane', start + 7_200_000)

let server: TestApiServer
before(async () => {
  server = await startTestApiServer({ tokens: [`${old},old-jane,1`, `${fresh},fresh-jane,1`] })
})
after(() => server.close())

interface Issuer {
  readonly url: string
  /** Forms that it was sent, and who sent them. */
  readonly asked: readonly { readonly form: URLSearchParams; readonly authorization: string }[]
}

interface TestContext {
  after(run: () => void): void
}

/** `answer` is given the number of the request for a token. */
async function startIssuer(context: TestContext, answer: (count: number) => object | number): Promise<Issuer> {
  const asked: { form: URLSearchParams; authorization: string }[] = []
  const issuer = createServer(testServerCertificate, async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    if (request.url === '/.well-known/openid-configuration')
      return response.end(JSON.stringify({ token_endpoint: `${url()}/token` }))
    asked.push({ form: new URLSearchParams(text), authorization: request.headers.authorization ?? '' })
    const given = answer(asked.length)
    return typeof given === 'number'
      ? response.writeHead(given).end('secret-refusal')
      : response.end(JSON.stringify(given))
  })
  const url = () => `https://127.0.0.1:${(issuer.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    issuer.closeAllConnections()
    issuer.close()
  })
  return { url: url(), asked }
}

const settings = (issuer: Issuer, more: object = {}) => ({
  'auth-provider': {
    name: 'oidc',
    config: {
      'idp-issuer-url': issuer.url,
      'idp-certificate-authority-data': Buffer.from(testAuthority.cert).toString('base64'),
      'client-id': 'proa',
      'client-secret': 'secret of:proa',
      'id-token': old,
      'refresh-token': 'refresh-1',
      ...more,
    },
  },
})

describe('an OpenID token', () => {
  test('is used until it expires, then renewed once for all requests, and stored in the kubeconfig', async (context) => {
    const clock = new VirtualClock()
    const issuer = await startIssuer(context, () => ({ id_token: fresh, refresh_token: 'refresh-2' }))
    const parts = { user: settings(issuer), environment: environment({ clock }) }
    const { client, kubeconfig } = await connected(context, server, parts)
    assert.equal(await nameOf(client), 'old-jane')
    assert.equal(issuer.asked.length, 0)
    await clock.advance('51s')
    const names = await Promise.all([nameOf(client), nameOf(client), nameOf(client)])
    assert.deepEqual(names, ['fresh-jane', 'fresh-jane', 'fresh-jane'])
    assert.equal(issuer.asked.length, 1)
    const [{ form, authorization }] = issuer.asked as [Issuer['asked'][0]]
    assert.deepEqual(Object.fromEntries(form), { grant_type: 'refresh_token', refresh_token: 'refresh-1' })
    assert.equal(authorization, `Basic ${Buffer.from('proa:secret%20of%3Aproa').toString('base64')}`)
    const kept = await parseKubeconfig(readFileSync(kubeconfig, 'utf8'))
    const config = kept.users.get('jane')?.settings['auth-provider']?.config
    assert.deepEqual([config?.['id-token'], config?.['refresh-token']], [fresh, 'refresh-2'])
  })

  test('is requested with the secret in the form if the issuer requires it', async (context) => {
    const issuer = await startIssuer(context, (count) => (count === 1 ? 401 : { id_token: fresh }))
    const { client } = await connected(context, server, {
      user: settings(issuer, { 'id-token': '' }),
      environment: environment({ clock: new VirtualClock() }),
    })
    assert.equal(await nameOf(client), 'fresh-jane')
    assert.equal(issuer.asked[1]?.form.get('client_secret'), 'secret of:proa')
  })
})

describe('errors of an issuer contain no secret', () => {
  const secrets = /secret|refresh-1|eyJ/
  const table: readonly (readonly [string, object, object | number, string])[] = [
    ['no refresh token', { 'refresh-token': '' }, {}, 'No valid id-token, and cannot refresh without refresh-token'],
    ['a refusal', {}, 400, 'failed to refresh token: oauth2: cannot fetch token: 400 Bad Request'],
    [
      'no token in the answer',
      {},
      { access_token: 'secret' },
      'token response did not contain an id_token, either the scope "openid" wasn\'t requested upon login, or the provider doesn\'t support id_tokens as part of the refresh response',
    ],
    ['a token that is none', { 'id-token': 'secret' }, {}, 'ID Token is not a valid JWT'],
    [
      'a token without claims',
      { 'id-token': 'secret.secret.secret' },
      {},
      'parsing claims: the ID Token holds no JSON',
    ],
    ['no issuer', { 'idp-issuer-url': '' }, {}, 'Must provide idp-issuer-url'],
    ['no client', { 'client-id': '' }, {}, 'Must provide client-id'],
  ]
  for (const [name, more, answer, message] of table)
    test(name, async (context) => {
      const issuer = await startIssuer(context, () => answer)
      const expired = { 'id-token': token('jane', start - 1), ...more }
      const said = await failure(async () => {
        const clock = new VirtualClock()
        const parts = { user: settings(issuer, expired), environment: environment({ clock }) }
        const { client } = await connected(context, server, parts)
        await nameOf(client)
      })
      assert.equal(said, message)
      assert.doesNotMatch(said.replace('client-secret', '').replace('refresh-token', ''), secrets)
    })

  test('a kubeconfig that cannot be written', async (context) => {
    const issuer = await startIssuer(context, () => ({ id_token: fresh }))
    const { thisHost } = await import('../host-access.js')
    const files = { ...thisHost().files, replace: () => Promise.reject(new Error('the disk is full')) }
    const clock = new VirtualClock()
    const user = settings(issuer, { 'id-token': '' })
    const { client } = await connected(context, server, {
      user,
      host: { files },
      environment: environment({ clock }),
    })
    assert.equal(await failure(() => nameOf(client)), 'could not persist new tokens: the disk is full')
  })
})
