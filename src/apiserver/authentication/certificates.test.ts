import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { environment } from '../../base/environment.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { createClientCertificate, createTestAuthority, testAuthority } from '../../testing/servers/https-server.js'
import { type Identity, whoAmI } from '../../testing/servers/whoami.js'
import { issue } from '../../wire/x509/certificate.js'
import { authorityKey, basicConstraints, keyUsage, subjectKey } from '../../wire/x509/extensions.js'
import { issuerOf } from '../../wire/x509/issuer.js'
import { signedCertificate } from '../../wire/x509/signed-certificate.js'
import type { FrontProxyFlags } from '../options.js'

const proxyAuthority = createTestAuthority('proxies')
const strangers = createTestAuthority('strangers')
const proxy = createClientCertificate(proxyAuthority, { commonName: 'front' })
const headers = [
  'X-Remote-User',
  'jane',
  'X-Remote-Group',
  'dev',
  'X-Remote-Group',
  'ops',
  'X-Remote-Extra-Scopes',
  'view',
]

/** A server where everybody who is known may do everything, so that it can be asked whom it takes somebody for. */
async function start(context: TestContext, frontProxy?: Partial<FrontProxyFlags>): Promise<TestApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
  const clientCaFile = join(folder, 'clients.pem')
  const caFile = join(folder, 'proxies.pem')
  writeFileSync(clientCaFile, testAuthority.cert)
  writeFileSync(caFile, proxyAuthority.cert)
  const names = {
    allowedNames: ['front'],
    usernameHeaders: ['X-Remote-User'],
    uidHeaders: ['X-Remote-Uid'],
    groupHeaders: ['X-Remote-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
  }
  const server = await startTestApiServer({
    options: {
      tls: { clientCaFile },
      authorization: { modes: ['AlwaysAllow'] },
      authentication: { anonymous: true, ...(frontProxy && { frontProxy: { caFile, ...names, ...frontProxy } }) },
    },
  })
  context.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  return server
}

const world = environment()

/** Looks as if the proxies' authority had vouched for that of the clients. It has signed nothing. */
function forgedLink(): string {
  const { name: subject, keyIdentifier } = issuerOf(testAuthority)
  const { name, keyIdentifier: by } = issuerOf(proxyAuthority)
  const { key } = issuerOf(createTestAuthority('forger'))
  const { publicKey } = new X509Certificate(strangers.cert)
  const usages = [keyUsage([0, 2, 5]), basicConstraints(true), subjectKey(keyIdentifier), authorityKey(by)]
  const times = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 60_000 }
  return signedCertificate({ subject, publicKey, ...times, extensions: usages }, { name, key }, world.random)
}

const nameOf = (identity: Identity | number) => (typeof identity === 'number' ? identity : identity.username)

describe('A client certificate', () => {
  it('names the user and the groups', async (context) => {
    const server = await start(context)
    const credential = createClientCertificate(testAuthority, { commonName: 'jane', organizations: ['dev', 'ops'] })
    const identity = (await whoAmI(server, { credential })) as Identity
    equal(identity.username, 'jane')
    deepEqual(identity.groups, ['dev', 'ops', 'system:authenticated'])
    equal(nameOf(await whoAmI(server, {})), 'system:anonymous')
  })

  it('of another authority, or from another time, makes nobody of its bearer', async (context) => {
    const server = await start(context)
    const past = Date.now() - 60_000
    for (const credential of [
      createClientCertificate(strangers, { organizations: ['system:masters'] }),
      createClientCertificate(createTestAuthority('test authority'), { organizations: ['system:masters'] }),
      createClientCertificate(testAuthority, { notAfter: past }),
    ])
      equal(await whoAmI(server, { credential }), 401)
  })

  it('that a server shows is no certificate of a client', async (context) => {
    const server = await start(context)
    const credential = createClientCertificate(testAuthority, { use: 'server', organizations: ['system:masters'] })
    equal(await whoAmI(server, { credential }), 401)
  })

  it('without a name counts as none', async (context) => {
    const server = await start(context)
    const credential = createClientCertificate(testAuthority, { commonName: '', organizations: ['system:masters'] })
    const identity = (await whoAmI(server, { credential })) as Identity
    equal(identity.username, 'system:anonymous')
    deepEqual(identity.groups, ['system:unauthenticated'])
  })
})

describe('A front proxy', () => {
  it('says who its client is', async (context) => {
    const server = await start(context, {})
    const all = [...headers, 'X-Remote-Extra-Example.com%2fTeam', 'blue', 'X-Remote-Uid', '7']
    deepEqual(await whoAmI(server, { credential: proxy, headers: all }), {
      username: 'jane',
      uid: '7',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'example.com/team': ['blue'], scopes: ['view'] },
    })
  })

  it('is believed only with a certificate of its own authority and an allowed name', async (context) => {
    const server = await start(context, {})
    const client = createClientCertificate(testAuthority, { commonName: 'front' })
    equal(nameOf(await whoAmI(server, { credential: client, headers })), 'front')
    equal(nameOf(await whoAmI(server, { headers })), 'system:anonymous')
    equal(
      await whoAmI(server, { credential: createClientCertificate(proxyAuthority, { commonName: 'back' }), headers }),
      401,
    )
    equal(
      await whoAmI(server, { credential: createClientCertificate(strangers, { commonName: 'front' }), headers }),
      401,
    )
    equal(
      await whoAmI(server, {
        credential: createClientCertificate(proxyAuthority, { commonName: 'front', notAfter: Date.now() - 60_000 }),
        headers,
      }),
      401,
    )
  })

  it('is no client by the certificate of its authority', async (context) => {
    const server = await start(context, {})
    const credential = createClientCertificate(proxyAuthority, {
      commonName: 'front',
      organizations: ['system:masters'],
    })
    equal(nameOf(await whoAmI(server, { credential })), 'system:anonymous')
  })

  it('cannot be made to give somebody groups by commas, other spellings or other names of headers', async (context) => {
    const server = await start(context, {})
    const groups = async (...more: string[]) => {
      const identity = await whoAmI(server, { credential: proxy, headers: ['x-remote-user', 'jane', ...more] })
      return (identity as Identity).groups
    }
    deepEqual(await groups('X-Remote-Group', 'dev, system:masters'), ['dev, system:masters', 'system:authenticated'])
    deepEqual(await groups('X_Remote_Group', 'system:masters'), ['system:authenticated'])
    deepEqual(await groups('x-REMOTE-group', 'dev'), ['dev', 'system:authenticated'])
    deepEqual(await groups('X-Remote-Groups', 'system:masters'), ['system:authenticated'])
  })

  it('is told from a client also when either takes up an earlier session', async (context) => {
    const server = await start(context, {})
    const client = createClientCertificate(testAuthority, { commonName: 'front' })
    for (const [credential, name] of [
      [proxy, 'jane'],
      [client, 'front'],
    ] as const) {
      const agent = new Agent({ keepAlive: false })
      let resumed = 0
      for (let index = 0; index < 3; index++) {
        const isKnown =
          Object.keys((agent as unknown as { _sessionCache: { map: object } })._sessionCache.map).length > 0
        if (isKnown) resumed++
        equal(nameOf(await whoAmI(server, { credential, headers, agent })), name)
        await new Promise((resolve) => setImmediate(resolve))
      }
      equal(resumed, 2)
    }
  })

  it('is told from a client also where either shows a chain', async (context) => {
    const server = await start(context, {})
    for (const [root, name] of [
      [proxyAuthority, 'jane'],
      [testAuthority, 'front'],
    ] as const) {
      const between = issue({ commonName: 'between', use: 'authority', notAfter: Date.now() + 60_000 }, world, root)
      const { key, cert } = createClientCertificate(between, { commonName: 'front' })
      const credential = { key, cert: `${cert}\n${between.cert}` }
      equal(nameOf(await whoAmI(server, { credential, headers })), name)
    }
  })

  it('is not made of a client by a chain that somebody made up', async (context) => {
    const server = await start(context, { allowedNames: [] })
    const { key, cert } = createClientCertificate(testAuthority, { commonName: 'mallory' })
    const credential = { key, cert: `${cert}\n${forgedLink()}` }
    equal(nameOf(await whoAmI(server, { credential, headers })), 'mallory')
  })

  it('may have any name where none is required', async (context) => {
    const server = await start(context, { allowedNames: [] })
    equal(
      nameOf(
        await whoAmI(server, { credential: createClientCertificate(proxyAuthority, { commonName: 'any' }), headers }),
      ),
      'jane',
    )
  })

  it('is nobody where none is configured', async (context) => {
    const server = await start(context)
    equal(await whoAmI(server, { credential: proxy, headers }), 401)
    equal(nameOf(await whoAmI(server, { headers })), 'system:anonymous')
  })
})
