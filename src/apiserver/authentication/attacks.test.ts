import { strictEqual as equal, notStrictEqual as notEqual, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { environment } from '../../base/environment.js'
import { formatLogRecord, logger } from '../../base/logging.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { sendRaw, whoAmI } from '../../testing/servers/whoami.js'

const secretToken = 'user-secret-9f2b71c4'
const password = 'pass-word-5d1e88aa'
const bearer = (token: string) => ['Authorization', `Bearer ${token}`]

describe('An API server', () => {
  const written: string[] = []
  let server: TestApiServer
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
    const basicAuthFile = join(folder, 'passwords.csv')
    const tokenFile = join(folder, 'tokens.csv')
    writeFileSync(basicAuthFile, `${password},john,8\n`)
    writeFileSync(tokenFile, `${secretToken},jane,7\nadmin-secret-77aa,admin,1,"system:masters"\n`)
    const write = (record: Parameters<typeof formatLogRecord>[0]) => void written.push(formatLogRecord(record))
    const surroundings = environment({ log: logger({ now: () => Date.now(), write, level: 'debug' }) })
    surroundings.tracer.subscribe((step) => written.push(JSON.stringify(step)))
    server = await startTestApiServer({
      environment: surroundings,
      options: { authentication: { anonymous: true, tokenFile, basicAuthFile, bootstrapTokens: true } },
    })
  })

  after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  const statusOf = async (path: string, headers: readonly string[] = bearer(secretToken), method = 'GET') => {
    const { status, text } = await sendRaw(server, { path, headers, method })
    written.push(text)
    return status
  }

  it('lets nobody past the gate by another spelling of a path', async () => {
    const secrets = '/api/v1/namespaces/kube-system/secrets'
    const spellings = [
      secrets,
      `/${secrets}`,
      secrets.replaceAll('/', '//'),
      `/healthz/..${secrets}`,
      `/healthz/%2e%2e${secrets}`,
      `/healthz%2f..${secrets}`,
      `/healthz;${secrets}`,
      `/healthz/;/..${secrets}`,
      `/version/../..${secrets}`,
      secrets.replace('/api', '/%61pi'),
      `${secrets};x=y`,
      `${secrets}/.`,
      `${secrets}%00`,
      `/api/v1/namespaces/kube-public/../kube-system/secrets`,
      `/api/v1/namespaces/kube-public%2f..%2fkube-system/secrets`,
    ]
    for (const path of spellings) {
      const status = await statusOf(path)
      ok([400, 403, 404].includes(status), `${path} gave ${status}`)
      const { text } = await sendRaw(server, { path, headers: bearer(secretToken) })
      ok(!text.includes('SecretList'), path)
    }
    equal(await statusOf(secrets, bearer('admin-secret-77aa')), 200)
  })

  it('takes a method from nowhere but the request line', async () => {
    const path = '/api/v1/namespaces/default'
    for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
      equal(await statusOf(path, [...bearer('admin-secret-77aa'), header, 'DELETE']), 200)
    equal(await statusOf(`${path}?_method=DELETE&method=DELETE`, bearer('admin-secret-77aa')), 200)
    const { text } = await sendRaw(server, { path, headers: bearer('admin-secret-77aa') })
    ok(!text.includes('deletionTimestamp'))
  })

  it('believes no header about who somebody is', async () => {
    for (const header of [
      'X-Remote-User',
      'X-Forwarded-User',
      'Remote-User',
      'X_Remote_User',
      'Authorization_',
      'X-Authorization',
    ])
      equal(await statusOf('/api/v1/nodes', [header, 'admin']), 403)
  })

  it('takes one authorization header, and no other spelling of it', async () => {
    equal(await statusOf('/api/v1/nodes', [...bearer('wrong'), ...bearer('admin-secret-77aa')]), 401)
    equal(await statusOf('/api/v1/nodes', ['AUTHORIZATION', 'bEARER admin-secret-77aa']), 200)
    equal(await statusOf('/api/v1/nodes', ['Authorization', 'Bearer admin-secret-77aa,wrong']), 401)
    equal(await statusOf('/api/v1/nodes', ['Authorization', 'Bearer admin-secret-77aa wrong']), 200)
    equal(await statusOf('/api/v1/nodes?access_token=admin-secret-77aa', []), 403)
  })

  it('rejects bad credentials even where nobody needs any', async () => {
    equal(await statusOf('/healthz', bearer('wrong')), 401)
    equal(await statusOf('/healthz', []), 200)
    equal(await statusOf('/healthz', ['Authorization', `Basic ${Buffer.from('john:wrong').toString('base64')}`]), 401)
  })

  it('knows users by password', async () => {
    const authorization = `Basic ${Buffer.from(`john:${password}`).toString('base64')}`
    notEqual(await whoAmI(server, { headers: ['Authorization', authorization] }), 401)
  })

  it('writes no secret into any log, metric, trace or answer', async () => {
    const bootstrap = 'abcdef.0123456789abcdef'
    const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMifQ.c2lnbmF0dXJl'
    for (const token of [secretToken, 'admin-secret-77aa', bootstrap, jwt, 'wrong-secret-31337'])
      for (const path of ['/api/v1/nodes', '/healthz', '/nope', `/api/v1/namespaces/x/pods/y/log`])
        await statusOf(path, bearer(token))
    await statusOf('/api/v1/nodes', ['Authorization', `Basic ${Buffer.from(`john:${password}`).toString('base64')}`])
    written.push(await server.environment.metrics.text())
    const everything = written.join('\n')
    ok(everything.includes('authentication failed') && everything.includes('apiserver_request_total'))
    const key = readFileSync(join(dirname(server.kubeconfig), 'pki', 'sa.key'), 'utf8').split('\n')[1]!
    const encodedPassword = Buffer.from(`john:${password}`).toString('base64')
    for (const secret of [
      secretToken,
      'admin-secret-77aa',
      bootstrap,
      jwt,
      'c2lnbmF0dXJl',
      'wrong-secret-31337',
      password,
      encodedPassword,
      key,
    ])
      ok(!everything.includes(secret), `something that was written holds ${secret}`)
  })
})
