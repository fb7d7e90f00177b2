import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KubeObject } from '../../api/kube-object.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { ApiRequest } from '../request/request-context.js'
import { basicAuthFileAuthenticator } from './basic-auth-file.js'
import { bootstrapTokenAuthenticator } from './bootstrap-token.js'

describe('A password file', () => {
  const users = basicAuthFileAuthenticator('pa:ss,jane,7,"dev,ops"\nword,john,8\n')
  const ask = (authorization?: string) => users.authenticate({ headers: { authorization } } as ApiRequest)
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it('knows users by name and password', () => {
    deepEqual(ask(basic('jane:pa:ss')), { name: 'jane', uid: '7', groups: ['dev', 'ops'], extra: {} })
    deepEqual(ask(basic('john:word').replace('Basic', 'bAsIc')), { name: 'john', uid: '8', groups: [], extra: {} })
  })

  it('rejects wrong passwords and unknown users, and says nothing about which it was', () => {
    for (const text of ['jane:word', 'jane:', 'nobody:', 'nobody:word', ':pa:ss'])
      throws(() => ask(basic(text)), { message: 'unknown user or wrong password' })
  })

  it('does not concern those who show something else', () => {
    for (const header of [undefined, '', 'Bearer x', 'Basic', 'Basic ', 'Basic %%%', basic('jane')])
      equal(ask(header), undefined)
  })

  it('that is malformed is rejected without telling what it holds', () => {
    throws(() => basicAuthFileAuthenticator('secret,jane\n'), /^Error: line 1 must have at least three columns/)
    throws(() => basicAuthFileAuthenticator('a,jane,1\nb,jane,2\n'), /line 2/)
    throws(() => basicAuthFileAuthenticator(',jane,1\n'), /line 1 has no password/)
  })
})

describe('A bootstrap token', () => {
  const good = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': 'system:bootstrappers:workers,system:bootstrappers:a',
    expiration: '2026-01-01T01:00:00Z',
  }

  function setting(changes: Record<string, string> = {}, parts: object = {}) {
    const clock = new VirtualClock()
    const data = Object.fromEntries(
      Object.entries({ ...good, ...changes }).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    )
    const secret = {
      metadata: { name: 'bootstrap-token-abcdef' },
      type: 'bootstrap.kubernetes.io/token',
      data,
      ...parts,
    }
    const tokens = bootstrapTokenAuthenticator(
      {
        find: (resource, namespace, name) =>
          `${resource}/${namespace}/${name}` === 'secrets/kube-system/bootstrap-token-abcdef'
            ? (secret as unknown as KubeObject)
            : undefined,
        current: () => undefined,
      },
      clock,
    )
    return { clock, ask: (token = 'abcdef.0123456789abcdef') => tokens.authenticate(token) }
  }

  it('speaks for whoever joins', () => {
    deepEqual(setting().ask(), {
      name: 'system:bootstrap:abcdef',
      uid: '',
      groups: ['system:bootstrappers', 'system:bootstrappers:a', 'system:bootstrappers:workers'],
      extra: {},
    })
  })

  it('must be the one in the secret, and of its form', () => {
    const { ask } = setting()
    for (const token of [
      'abcdef.0123456789abcdee',
      'abcdee.0123456789abcdef',
      'ABCDEF.0123456789abcdef',
      'abcdef',
      ' abcdef.0123456789abcdef',
    ])
      equal(ask(token), undefined, token)
    equal(setting({}, { type: 'Opaque' }).ask(), undefined)
    equal(setting({ 'token-id': 'zzzzzz' }).ask(), undefined)
    equal(setting({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }).ask(), undefined)
  })

  it('must be for this, in time, and in no group of others', async () => {
    throws(() => setting({ 'usage-bootstrap-authentication': 'false' }).ask(), /not for authentication/)
    throws(() => setting({ 'auth-extra-groups': 'system:masters' }).ask(), /group/)
    throws(() => setting({ expiration: 'soon' }).ask(), /expired/)
    const { ask, clock } = setting()
    await clock.advance('1h')
    throws(() => ask(), /expired/)
  })
})
