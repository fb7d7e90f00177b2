import { strictEqual as equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { adminToken, startTestApiServer, type TestApiServer } from '../../../testing/servers/api-server.js'
import { type Identity, sendRaw, whoAmI } from '../../../testing/servers/whoami.js'
import { readKeySet } from '../jwt/jwk.js'
import { parseToken } from '../jwt/signed-token.js'
import { verifySignature } from '../jwt/verify.js'

const issuer = 'https://kubernetes.default.svc'
const inside = '/api/v1/namespaces/default'

describe('Tokens of service accounts, from request to use', () => {
  let server: TestApiServer

  before(async () => {
    const serviceAccounts = { issuers: [issuer], audiences: [issuer], keyFiles: [], maxSeconds: 7200, isStrict: true }
    server = await startTestApiServer({ options: { serviceAccounts } })
    await post(`${inside}/serviceaccounts`, { metadata: { name: 'robot' } })
  })

  after(() => server.close())

  const post = async (path: string, body: object) => {
    const headers = ['Authorization', `Bearer ${adminToken}`, 'content-type', 'application/json']
    const answer = await sendRaw(server, { method: 'POST', path, headers, body: JSON.stringify(body) })
    return { ...answer, json: JSON.parse(answer.text) }
  }
  const get = (path: string, token: string) => sendRaw(server, { path, headers: ['Authorization', `Bearer ${token}`] })
  const tokenFor = async (spec: object = {}) => {
    const { json, headers } = await post(`${inside}/serviceaccounts/robot/token`, { spec })
    return { token: json.status.token as string, spec: json.spec, warning: String(headers.warning ?? '') }
  }

  it('can be checked by anybody who reads the published keys', async () => {
    const { token } = await tokenFor()
    const { text: found, headers } = await get('/.well-known/openid-configuration', adminToken)
    const configuration = JSON.parse(found)
    equal(configuration.issuer, issuer)
    ok(configuration.jwks_uri.endsWith('/openid/v1/jwks'))
    equal(headers['cache-control'], 'public, max-age=3600')
    const { text: published, headers: ofKeys } = await get('/openid/v1/jwks', adminToken)
    equal(ofKeys['content-type'], 'application/jwk-set+json')
    ok(!published.includes('"d"'))
    verifySignature(parseToken(token), readKeySet(JSON.parse(published)))
    ok(configuration.id_token_signing_alg_values_supported.includes(parseToken(token).algorithm))
  })

  it('may be looked up by service accounts, but not by strangers', async () => {
    const { token } = await tokenFor()
    equal((await get('/openid/v1/jwks', token)).status, 200)
    equal((await sendRaw(server, { path: '/openid/v1/jwks' })).status, 403)
    equal(
      (
        await sendRaw(server, {
          method: 'POST',
          path: '/openid/v1/jwks',
          headers: ['Authorization', `Bearer ${adminToken}`],
        })
      ).status,
      405,
    )
  })

  it('speak for their account until it is gone', async () => {
    await post(`${inside}/serviceaccounts`, { metadata: { name: 'short' } })
    const { json } = await post(`${inside}/serviceaccounts/short/token`, { spec: {} })
    const headers = ['Authorization', `Bearer ${json.status.token}`]
    equal(((await whoAmI(server, { headers })) as Identity).username, 'system:serviceaccount:default:short')
    const admin = ['Authorization', `Bearer ${adminToken}`]
    await sendRaw(server, { method: 'DELETE', path: `${inside}/serviceaccounts/short`, headers: admin })
    equal(await whoAmI(server, { headers }), 401)
    const { json: review } = await post('/apis/authentication.k8s.io/v1/tokenreviews', {
      spec: { token: json.status.token },
    })
    equal(review.status.error, '[invalid bearer token, serviceaccounts "short" not found]')
    equal(review.status.authenticated, undefined)
  })

  it('last no longer than the server allows', async () => {
    const { spec, warning, token } = await tokenFor({ expirationSeconds: 86_400 })
    equal(spec.expirationSeconds, 7200)
    ok(warning.includes('requested expiration of 86400 seconds shortened to 7200 seconds'))
    const { exp, iat } = parseToken(token).claims as { exp: number; iat: number }
    equal(exp - iat, 7200)
  })

  it('are reviewed for the audiences that are asked about', async () => {
    const { token } = await tokenFor({ audiences: ['vault'] })
    const review = async (spec: object) =>
      (await post('/apis/authentication.k8s.io/v1/tokenreviews', { spec })).json.status
    equal((await review({ token, audiences: ['vault', 'other'] })).audiences.join(), 'vault')
    equal((await review({ token })).authenticated, undefined)
    equal((await review({ token: adminToken })).user.username, 'admin')
    equal((await review({ token: adminToken, audiences: ['vault'] })).error, 'invalid bearer token')
  })
})
