import { deepStrictEqual as deepEqual, strictEqual as equal, ok, rejects } from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { startJsonService } from '../../../testing/servers/json-service.js'
import { type SigningKey, signingKey, signToken } from '../../../wire/jwt/sign.js'
import { outgoingClient } from '../../outgoing/outgoing-client.js'
import { keySet } from '../jwt/jwk.js'
import { type OpenIdOptions, openIdAuthenticator } from './authenticator.js'

const newKey = () => signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const first = newKey()
const second = newKey()
const published = (key: SigningKey) => keySet([{ id: key.id, key: createPublicKey(key.key) }])

/** A provider that runs, and a server's view of it. */
async function setting(context: TestContext, options: Partial<OpenIdOptions> = {}) {
  const clock = new VirtualClock()
  const provider = { key: first, issuer: '', isDown: false }
  const service = await startJsonService(context, ({ path }) => {
    if (provider.isDown) return { status: 503, body: {} }
    if (path === '/keys') return { body: published(provider.key) }
    return { body: { issuer: provider.issuer || service.url, jwks_uri: `${service.url}/keys` } }
  })
  const tokens = openIdAuthenticator({
    issuer: service.url,
    clientId: 'proa',
    usernameClaim: 'sub',
    requiredClaims: {},
    algorithms: ['RS256'],
    ...options,
    client: outgoingClient({ ca: service.authority }),
    clock,
  })
  const claims = (more: object = {}) => ({
    iss: service.url,
    sub: 'jane',
    aud: 'proa',
    exp: clock.now() / 1000 + 600,
    ...more,
  })
  const ask = async (token: string) => tokens.authenticate(token)
  return { clock, provider, service, ask, claims, sign: (more?: object, key = first) => signToken(claims(more), key) }
}

describe('A token of an OpenID provider', () => {
  it("speaks for a user whose name begins with the provider's", async (context) => {
    const { ask, sign, service } = await setting(context)
    deepEqual(await ask(sign({ groups: ['dev'] })), { name: `${service.url}#jane`, uid: '', groups: [], extra: {} })
    await ask(sign())
    equal(service.requests.length, 2)
  })

  it('gives name and groups by the claims and prefixes that are configured', async (context) => {
    const { ask, sign } = await setting(context, {
      usernameClaim: 'email',
      groupsClaim: 'teams',
      groupsPrefix: 'oidc:',
      usernamePrefix: 'oidc:',
    })
    const user = await ask(sign({ email: 'jane@example.com', email_verified: true, teams: ['dev', 'ops'] }))
    equal(user?.name, 'oidc:jane@example.com')
    deepEqual(user?.groups, ['oidc:dev', 'oidc:ops'])
    deepEqual((await ask(sign({ email: 'jane@example.com', teams: 'dev' })))?.groups, ['oidc:dev'])
    await rejects(ask(sign({ email: 'jane@example.com', email_verified: false })), /not verified/)
    await rejects(ask(sign({})), /no user name/)
    await rejects(ask(sign({ email: 'jane@example.com', teams: [1] })), /malformed/)
  })

  it('is rejected when it is for another client, has expired, or lacks what is required', async (context) => {
    const { ask, sign, clock } = await setting(context, { requiredClaims: { hd: 'example.com' } })
    const now = clock.now() / 1000
    ok(await ask(sign({ hd: 'example.com' })))
    await rejects(ask(sign({ hd: 'example.com', aud: 'other' })), /another client/)
    await rejects(ask(sign({ hd: 'example.com', exp: now - 61 })), /expired/)
    await rejects(ask(sign({ hd: 'example.com', nbf: now + 61 })), /not valid yet/)
    await rejects(ask(sign({ hd: 'example.com', exp: undefined })), /no expiration time/)
    await rejects(ask(sign({})), /required value of hd/)
  })

  it('of another issuer, or of another form, is left to others', async (context) => {
    const { ask, sign, service } = await setting(context)
    equal(await ask(sign({ iss: 'https://elsewhere' })), undefined)
    equal(await ask('opaque'), undefined)
    equal(service.requests.length, 0)
  })

  it('counts when the provider has changed its keys, and those of before no longer do', async (context) => {
    const { ask, sign, provider, clock } = await setting(context)
    ok(await ask(sign()))
    provider.key = second
    await rejects(ask(sign({}, second)), /unknown key/) // it was asked just now
    await clock.advance('11s')
    ok(await ask(sign({}, second)))
    await rejects(ask(sign({}, first)), /unknown key/)
  })

  it('signed by nobody makes the server ask the provider at most every ten seconds', async (context) => {
    const { ask, sign, service } = await setting(context)
    const stranger = newKey()
    for (let index = 0; index < 20; index++) await rejects(ask(sign({}, stranger)), /unknown key/)
    equal(service.requests.length, 2)
  })

  it('is rejected, and nothing else happens, while the provider is down or says that it is another', async (context) => {
    const { ask, sign, provider, clock } = await setting(context)
    provider.isDown = true
    await rejects(ask(sign()), /status 503/)
    provider.isDown = false
    provider.issuer = 'https://elsewhere'
    await clock.advance('11s')
    await rejects(ask(sign()), /another issuer/)
    provider.issuer = ''
    await clock.advance('11s')
    ok(await ask(sign()))
  })

  it('of a provider that cannot prove who it is does not count', async (context) => {
    const { sign, service, clock } = await setting(context)
    const options = {
      issuer: service.url,
      clientId: 'proa',
      usernameClaim: 'sub',
      requiredClaims: {},
      algorithms: ['RS256'],
    }
    const distrusting = openIdAuthenticator({ ...options, client: outgoingClient(), clock })
    await rejects(async () => distrusting.authenticate(sign()), /certificate/)
  })
})
