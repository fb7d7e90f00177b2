import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Secret } from '../../api/core/v1/secret.js'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'
import { filledSecret } from './filled-secret.js'
import { tokenSecret } from './secrets.test.kit.js'

const account = { metadata: { name: 'robot', namespace: 'default', uid: '7' } } as ServiceAccount
const filling = { rootAuthority: 'authority', tokenFor: (_: ServiceAccount, secret: string) => `token in ${secret}` }
const base64 = (text: string) => Buffer.from(text).toString('base64')
const whole = { 'ca.crt': base64('authority'), namespace: base64('default'), token: base64('token in s') }

function filled(data: Secret['data'], rootAuthority: string | undefined = 'authority'): Secret | undefined {
  return filledSecret(tokenSecret('s', 'robot', { data }), account, { ...filling, rootAuthority })
}

describe('a secret for a token', () => {
  for (const [what, before, after] of [
    ['is filled', {}, whole],
    ['is left alone when it is full', whole, undefined],
    ['keeps the token that it has', { token: base64('mine') }, { ...whole, token: base64('mine') }],
    ['keeps the namespace that it has', { namespace: base64('mine') }, { ...whole, namespace: base64('mine') }],
    ['takes the authority of today', { ...whole, 'ca.crt': base64('old') }, whole],
    ['keeps what else is in it', { more: base64('more') }, { ...whole, more: base64('more') }],
  ] as const)
    test(what, () => assert.deepEqual(filled(before)?.data, after))

  test('has no authority where none is known', () => {
    const { 'ca.crt': _, ...rest } = whole
    assert.deepEqual(filled({}, '')?.data, rest)
    assert.equal(filled(rest, ''), undefined)
  })

  test('says whose it is', () =>
    assert.deepEqual(filled({})?.metadata.annotations, {
      'kubernetes.io/service-account.name': 'robot',
      'kubernetes.io/service-account.uid': '7',
    }))
})
