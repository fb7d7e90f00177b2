import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import type { TokenClaims } from '../../authentication/service-accounts/claims.js'
import { type MemoryServer, openMemoryServer, publicKey, testPod } from '../server.test.kit.js'

const accounts = '/api/v1/namespaces/default/serviceaccounts'

suite('tokens of service accounts', () => {
  let server: MemoryServer
  before(async () => {
    server = await openMemoryServer()
    for (const name of ['worker', 'other'])
      await server.send('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
    await server.send(
      'POST',
      '/api/v1/namespaces/default/pods',
      testPod('p', { serviceAccountName: 'worker', nodeName: 'n' }),
    )
  })
  after(() => server.close())

  function ask(spec: object, account = 'worker'): ReturnType<MemoryServer['send']> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
    return server.send('POST', `${accounts}/${account}/token`, body)
  }

  async function claims(spec: object): Promise<TokenClaims> {
    const { body } = await ask(spec)
    const { token } = body.status as unknown as { token: string }
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
    assert.ok(verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
    assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, 'ES256')
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  }

  test('contain user, audiences and expiration', async () => {
    const said = await claims({ audiences: ['vault'], expirationSeconds: 1200 })
    assert.equal(said.sub, 'system:serviceaccount:default:worker')
    assert.deepEqual(said.aud, ['vault'])
    assert.equal(said.iss, 'https://here')
    assert.equal(said.exp - said.iat, 1200)
    assert.equal(said['kubernetes.io'].serviceaccount.name, 'worker')
  })

  test('that are mounted into pods last a year, with the time after which they cause warnings', async () => {
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' }
    const said = await claims({ expirationSeconds: 3607, boundObjectRef })
    assert.equal(said.exp - said.iat, 365 * 24 * 3600)
    assert.equal(said['kubernetes.io'].warnafter, said.iat + 3607)
    assert.equal(said['kubernetes.io'].pod?.name, 'p')
    assert.deepEqual(said['kubernetes.io'].node, { name: 'n' })
  })

  test('are not issued for invalid requests', async () => {
    const message = async (spec: object, account?: string) => String((await ask(spec, account)).body.message)
    const pod = { kind: 'Pod', apiVersion: 'v1', name: 'p' }
    assert.match(await message({ expirationSeconds: 60 }), /may not specify a duration less than 10 minutes/)
    assert.match(await message({ boundObjectRef: { ...pod, name: 'none' } }), /pods "none" not found/)
    assert.match(
      await message({ boundObjectRef: { ...pod, uid: 'x' } }),
      /the UID in the bound object reference \(x\) does not match/,
    )
    assert.match(await message({ boundObjectRef: pod }, 'other'), /to pod running with different serviceaccount name/)
    assert.match(
      await message({ boundObjectRef: { ...pod, kind: 'Job', apiVersion: 'batch/v1' } }),
      /of type batch\/v1, Kind=Job/,
    )
    for (const kind of ['constructor', 'toString', '__proto__'])
      assert.equal(
        await message({ boundObjectRef: { ...pod, kind } }),
        `cannot bind token to object of type /v1, Kind=${kind}`,
      )
    assert.match(await message({}, 'nobody'), /serviceaccounts "nobody" not found/)
  })
})
