import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, test } from 'node:test'
import { hasReason } from '../../api/errors.js'
import { type LogRecord, logger } from '../../base/logging.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { createClientCertificate, testAuthority } from '../../testing/servers/https-server.js'
import type { ApiRequest, RequestContext } from '../request/request-context.js'
import { anonymous, type RequestUser } from '../request/user.js'
import type { ConnectionPeer } from '../serving/peer.js'
import type { Authenticator, TokenAuthenticator } from './authenticator.js'
import { bearerTokenAuthenticator } from './bearer-token.js'
import { authenticatorChain } from './chain.js'
import { authenticationStage } from './stage.js'
import { tokenFileAuthenticator } from './token-file.js'

const tokenFile = 'bench,admin,1,"system:masters,dev"\nother,bob,2\n'
const clock = new VirtualClock({ start: Date.now() })
const standard = authenticatorChain({ clock, anonymous: true, tokens: [tokenFileAuthenticator(tokenFile)] })

function exchangeOf(authorization?: string, peer: ConnectionPeer = { address: '192.0.2.1' }): RequestContext {
  const request: ApiRequest = {
    ...{ method: 'GET', path: '/', query: new URLSearchParams(), signal: new AbortController().signal, peer },
    headers: authorization === undefined ? {} : { authorization },
    body: () => assert.fail('who somebody is does not stand in the body'),
  }
  const info = undefined as never // no matter what is asked for
  const unset = { isKnown: false, response: undefined, decision: '', reason: '' }
  return { request, id: 'id', received: 0, began: 0, info, user: anonymous, warnings: new Set(), headers: {}, ...unset }
}

/** Through the stage; gives the exchange afterwards. */
async function authenticated(
  context: RequestContext,
  authenticators: readonly Authenticator[] = standard,
): Promise<RequestContext> {
  await authenticationStage(authenticators).run(context)
  return context
}

async function refused(context: RequestContext, authenticators: readonly Authenticator[] = standard): Promise<void> {
  await assert.rejects(
    async () => authenticationStage(authenticators).run(context),
    (error) => {
      assert.ok(hasReason(error, 'Unauthorized'))
      assert.equal(error.message, 'Unauthorized')
      return true
    },
  )
}

describe('a bearer token', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    test(`tells who it is, after ${scheme}`, async () => {
      const { user, decision, reason } = await authenticated(exchangeOf(`${scheme} bench`))
      const groups = ['system:masters', 'dev', 'system:authenticated']
      assert.deepEqual(user, { name: 'admin', uid: '1', groups, extra: {} })
      assert.deepEqual([decision, reason], ['admin', 'bearer token'])
    })

  for (const header of ['Basic YWRtaW46YWRtaW4=', 'Bearer', 'Bearer ', 'bench', '', 'Bearerbench'])
    test(`is not what ${JSON.stringify(header)} says: that counts as nothing`, async () => {
      const { user, warnings } = await authenticated(exchangeOf(header))
      assert.equal(user, anonymous)
      assert.equal(warnings.size, 0)
    })

  test('after two spaces counts as nothing, and the client is told', async () => {
    const { user, warnings } = await authenticated(exchangeOf('Bearer  bench'))
    assert.equal(user, anonymous)
    const warning = 'the provided Authorization header contains extra space before the bearer token, and is ignored'
    assert.deepEqual([...warnings], [warning])
  })

  test('ends at the next space', async () => {
    assert.equal((await authenticated(exchangeOf('Bearer bench more'))).user.name, 'admin')
  })

  for (const token of ['nobody', 'benc', 'benchh', 'BENCH', 'constructor', '__proto__', '"bench"'])
    test(`that nobody knows is refused: ${token}`, () => refused(exchangeOf(`Bearer ${token}`)))

  test('goes no further', async () => {
    const { request } = await authenticated(exchangeOf('Bearer bench'))
    assert.equal('authorization' in request.headers, false)
  })

  test('may be of any kind, one of which may take its time', async () => {
    const seen: string[] = []
    const kind = (
      name: string,
      answer: RequestUser | undefined | Promise<RequestUser | undefined>,
    ): TokenAuthenticator => ({
      name,
      authenticate: () => {
        seen.push(name)
        return answer
      },
    })
    const zoe: RequestUser = { name: 'zoe', uid: '', groups: [], extra: {} }
    const kinds = [
      kind('a', undefined),
      kind('b', Promise.resolve(undefined)),
      kind('c', Promise.resolve(zoe)),
      kind('d', zoe),
    ]
    const { user } = await authenticated(exchangeOf('Bearer x'), [bearerTokenAuthenticator(kinds)])
    assert.equal(user.name, 'zoe')
    assert.deepEqual(seen, ['a', 'b', 'c'])
    await refused(exchangeOf('Bearer x'), [bearerTokenAuthenticator(kinds.slice(0, 2))])
  })
})

describe('a client certificate', () => {
  const peerWith = (parts: Parameters<typeof createClientCertificate>[1]): ConnectionPeer => {
    const { raw } = new X509Certificate(createClientCertificate(testAuthority, parts).cert)
    return { address: '', certificate: raw }
  }

  test('names its user and the groups', async () => {
    const peer = peerWith({ commonName: 'jane', organizations: ['dev', 'ops'] })
    const { user } = await authenticated(exchangeOf(undefined, peer))
    assert.equal(user.name, 'jane')
    assert.deepEqual(user.groups, ['dev', 'ops', 'system:authenticated'])
    assert.match(user.extra['authentication.kubernetes.io/credential-id']![0]!, /^X509SHA256=[0-9a-f]{64}$/)
  })

  test('cannot smuggle in a group by the form of its name', async () => {
    const commonName = 'jane\nO=system:masters, O = system:masters/O=system:masters'
    const { user } = await authenticated(
      exchangeOf(undefined, peerWith({ commonName, organizations: ['a\nO=system:masters'] })),
    )
    assert.equal(user.name, commonName)
    assert.deepEqual(user.groups, ['a\nO=system:masters', 'system:authenticated'])
  })

  test('without a common name names nobody', async () => {
    const { user } = await authenticated(
      exchangeOf(undefined, peerWith({ commonName: '', organizations: ['system:masters'] })),
    )
    assert.equal(user, anonymous)
  })

  test('counts only while it is valid, though the connection stays', async () => {
    const time = new VirtualClock({ start: Date.now() })
    const chain = authenticatorChain({ clock: time, anonymous: true, tokens: [] })
    const peer = peerWith({ notAfter: Date.now() + 3_600_000 })
    assert.equal((await authenticated(exchangeOf(undefined, peer), chain)).user.name, 'jane')
    await time.advance('61m')
    await refused(exchangeOf(undefined, peer), chain)
    const early = authenticatorChain({
      clock: new VirtualClock({ start: Date.now() - 86_400_000 }),
      anonymous: true,
      tokens: [],
    })
    await refused(exchangeOf(undefined, peer), early)
  })

  test('that does not count is rejected, unless a token says who it is', async () => {
    const peer = { address: '', certificateFault: 'CERT_HAS_EXPIRED' }
    await refused(exchangeOf(undefined, peer))
    assert.equal((await authenticated(exchangeOf('Bearer other', peer))).user.name, 'bob')
  })

  test('goes before a token', async () => {
    assert.equal((await authenticated(exchangeOf('Bearer bench', peerWith({})))).user.name, 'jane')
  })
})

describe('authentication', () => {
  test('takes those who show nothing for anonymous, unless that is off', async () => {
    assert.equal((await authenticated(exchangeOf())).user, anonymous)
    await refused(exchangeOf(), authenticatorChain({ clock, anonymous: false, tokens: [] }))
  })

  test('knows the components in its own process', async () => {
    const user: RequestUser = { name: 'system:kube-scheduler', uid: '', groups: [], extra: {} }
    const found = (await authenticated(exchangeOf(undefined, { address: '', user }))).user
    assert.deepEqual([found.name, found.groups], ['system:kube-scheduler', ['system:authenticated']])
  })

  test('goes on when one of them fails, sooner or later', async () => {
    const failing: Authenticator[] = [
      { name: 'at once', authenticate: () => assert.fail('at once') },
      { name: 'later', authenticate: () => Promise.reject(new Error('later')) },
    ]
    const knowing: Authenticator = {
      name: 'knowing',
      authenticate: async () => ({ ...anonymous, name: 'zoe', groups: [] }),
    }
    const context = await authenticated(exchangeOf(), [...failing, knowing])
    assert.deepEqual([context.user.name, context.reason], ['zoe', 'knowing'])
    await refused(exchangeOf(), [...failing, ...standard])
  })

  test('tells the log why it refused, and never a secret', async () => {
    const records: LogRecord[] = []
    const log = logger({ now: () => 0, write: (record) => records.push(record), level: 'debug' })
    const context = exchangeOf('Bearer s3cret-token', { address: '192.0.2.1', certificateFault: 'CERT_HAS_EXPIRED' })
    await assert.rejects(async () => authenticationStage(standard, log).run(context))
    const told = JSON.stringify(records)
    assert.match(told, /CERT_HAS_EXPIRED.*unknown bearer token/)
    assert.doesNotMatch(told, /s3cret/)
  })
})

describe('a token file', () => {
  test('may have comments, empty lines, quotes, spaces and Windows line ends', () => {
    const content = '# tokens\r\n\r\nabc, jane ,7,"dev, ops"\r\n"d""ef","joe, the second",8\r\nabc,again,9,\r\n'
    const { authenticate } = tokenFileAuthenticator(content)
    assert.deepEqual(authenticate('d"ef'), { name: 'joe, the second', uid: '8', groups: [], extra: {} })
    assert.deepEqual(authenticate('abc'), { name: 'again', uid: '9', groups: [], extra: {} })
    const first = tokenFileAuthenticator('abc, jane ,7,"dev, ops"').authenticate('abc')
    assert.deepEqual(first, { name: 'jane', uid: '7', groups: ['dev', 'ops'], extra: {} })
    assert.equal(authenticate('# tokens'), undefined)
  })

  test('with a line that makes no sense is rejected, and the line is not told', () => {
    assert.throws(
      () => tokenFileAuthenticator('a,b,c\ns3cret,jane\n'),
      (error: Error) => {
        assert.equal(error.message, 'line 2 must have at least three columns: token, user name and uid')
        return true
      },
    )
    assert.throws(() => tokenFileAuthenticator('"a\nb",b,c\n,jane,7\n'), /^Error: line 3 has no token$/)
  })
})
