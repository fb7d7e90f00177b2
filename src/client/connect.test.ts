import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { hasReason } from '../api/errors.js'
import { environment } from '../base/environment.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { adminToken, startTestApiServer, type TestApiServer } from '../testing/servers/api-server.js'
import { parseYaml } from '../wire/yaml.js'
import { Client } from './client.js'
import { connect } from './connect.js'
import { connected, nameOf, scratchFolder, userOf } from './connect.test.kit.js'
import { thisHost } from './host-access.js'
import { failure } from './kubeconfig/kubeconfig.test.kit.js'
import { resolveConnection } from './kubeconfig/resolve.js'

let server: TestApiServer
before(async () => {
  const folder = scratchFolder({ after })
  const file = (name: string, ...lines: string[]) => {
    writeFileSync(join(folder, name), lines.join('\n'))
    return join(folder, name)
  }
  const tokenFile = file('tokens.csv', 'first,jane,1', 'second,jill,2', `${adminToken},admin,3,"system:masters"`)
  const basicAuthFile = file('passwords.csv', 'password-of-john,john,8')
  server = await startTestApiServer({ options: { authentication: { anonymous: true, tokenFile, basicAuthFile } } })
})
after(() => server.close())

describe('a kubeconfig authenticates its user', () => {
  test('with a client certificate', async (context) => {
    const connection = await resolveConnection(thisHost(), { kubeconfig: server.kubeconfig })
    const client = new Client(await connect(connection))
    context.after(() => client.close())
    assert.ok(((await userOf(client))?.groups ?? []).includes('system:masters'))
  })

  test('with a client certificate in files', async (context) => {
    const { value } = await parseYaml(readFileSync(server.kubeconfig, 'utf8'))
    const [{ user }] = (value as { users: [{ user: Record<string, string> }] }).users
    const folder = scratchFolder(context)
    for (const name of ['client-certificate', 'client-key'])
      writeFileSync(join(folder, name), Buffer.from(user[`${name}-data`]!, 'base64'))
    const files = { 'client-certificate': join(folder, 'client-certificate'), 'client-key': join(folder, 'client-key') }
    const { client } = await connected(context, server, { user: files })
    assert.ok(((await userOf(client))?.groups ?? []).includes('system:masters'))
  })

  test('with a token', async (context) => {
    const { client } = await connected(context, server, { user: { token: 'first' } })
    assert.equal(await nameOf(client), 'jane')
  })

  test('with a user name and a password', async (context) => {
    const { client } = await connected(context, server, { user: { username: 'john', password: 'password-of-john' } })
    assert.equal(await nameOf(client), 'john')
  })

  test('with a flag', async (context) => {
    const { client } = await connected(context, server, { user: { token: 'first' }, flags: { token: 'second' } })
    assert.equal(await nameOf(client), 'jill')
  })
})

describe('a token file', () => {
  test('is read again after a while', async (context) => {
    const clock = new VirtualClock()
    const file = join(scratchFolder(context), 'token')
    writeFileSync(file, 'first\n')
    const { client } = await connected(context, server, {
      user: { tokenFile: file },
      environment: environment({ clock }),
    })
    assert.equal(await nameOf(client), 'jane')
    writeFileSync(file, 'second\n')
    assert.equal(await nameOf(client), 'jane', 'not with every request')
    await clock.advance('1m')
    assert.equal(await nameOf(client), 'jill')
    writeFileSync(file, '')
    await clock.advance('1m')
    assert.equal(await nameOf(client), 'jill', 'while there is none, the last one goes on')
  })

  test('is read again at once if the server rejects the token', async (context) => {
    const file = join(scratchFolder(context), 'token')
    writeFileSync(file, 'expired')
    const { client } = await connected(context, server, { user: { tokenFile: file } })
    const error = await nameOf(client).then(assert.fail, (thrown: unknown) => thrown)
    assert.ok(hasReason(error, 'Unauthorized'), String(error))
    writeFileSync(file, 'second')
    assert.equal(await nameOf(client), 'jill')
  })

  test('that is missing is named in the error', async (context) => {
    const { client } = await connected(context, server, { user: { tokenFile: '/nope' } })
    assert.equal(
      await failure(() => nameOf(client)),
      'failed to read token file "/nope": open /nope: no such file or directory',
    )
  })

  test('takes precedence over a token as long as it can be read', async (context) => {
    const file = join(scratchFolder(context), 'token')
    const { client } = await connected(context, server, { user: { tokenFile: file, token: 'first' } })
    assert.equal(await nameOf(client), 'jane')
    writeFileSync(file, 'second')
    const { client: other } = await connected(context, server, { user: { tokenFile: file, token: 'first' } })
    assert.equal(await nameOf(other), 'jill')
  })
})

test('a user with the permission impersonates another user', async (context) => {
  const flags = {
    as: 'joe',
    'as-uid': '7',
    'as-group': ['a', 'b'],
    'as-user-extra': { 'example.org/Team': ['x', 'y'] },
  }
  const { client } = await connected(context, server, { user: { token: server.token }, flags })
  const { username, uid, groups, extra } = (await userOf(client)) ?? {}
  assert.deepEqual([username, uid, groups], ['joe', '7', ['a', 'b', 'system:authenticated']])
  assert.deepEqual(extra, { 'example.org/team': ['x', 'y'] })
})

describe('a server', () => {
  test('is verified by another name if the kubeconfig has one', async (context) => {
    const right = await connected(context, server, {
      user: { token: 'first' },
      cluster: { 'tls-server-name': 'kubernetes' },
    })
    assert.equal(await nameOf(right.client), 'jane')
    const wrong = await connected(context, server, {
      user: { token: 'first' },
      cluster: { 'tls-server-name': 'other' },
    })
    assert.match(await failure(() => nameOf(wrong.client)), /altnames/)
  })

  test('with an unknown CA is not trusted, unless that is disabled', async (context) => {
    const unknown = { 'certificate-authority-data': '' }
    const careful = await connected(context, server, { user: { token: 'first' }, cluster: unknown })
    assert.match(await failure(() => nameOf(careful.client)), /self-signed|unable to get local issuer|unable to verify/)
    const cluster = { ...unknown, 'insecure-skip-tls-verify': true }
    const careless = await connected(context, server, { user: { token: 'first' }, cluster })
    assert.equal(await nameOf(careless.client), 'jane')
  })

  test('cannot have a CA and disabled verification', async (context) => {
    assert.equal(
      await failure(() => connected(context, server, { cluster: { 'insecure-skip-tls-verify': true } })),
      'specifying a root certificates file with the insecure flag is not allowed',
    )
    assert.equal(
      await failure(() => connected(context, server, { cluster: { 'certificate-authority-data': 'YQ==' } })),
      'unable to load root certificates: unable to parse bytes as PEM block',
    )
  })
})

describe('removed auth providers', () => {
  for (const [name, message] of [
    ['gcp', /^The gcp auth plugin has been removed\.\nPlease use the "gke-gcloud-auth-plugin"/],
    ['azure', /^The azure auth plugin has been removed\./],
    ['other', /^no Auth Provider found for name "other"$/],
  ] as const)
    test(name, async (context) => {
      assert.match(await failure(() => connected(context, server, { user: { 'auth-provider': { name } } })), message)
    })
})
