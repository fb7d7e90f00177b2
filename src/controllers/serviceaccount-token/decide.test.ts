import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Secret } from '../../api/core/v1/secret.js'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'
import { decide } from './decide.js'
import { filledSecret } from './filled-secret.js'
import { tokenSecret } from './secrets.test.kit.js'

const account = { metadata: { name: 'robot', namespace: 'default', uid: '7' } } as ServiceAccount
const sign = (claims: Readonly<Record<string, string>>) =>
  `token in ${claims['kubernetes.io/serviceaccount/secret.name']}`
const base64 = (text: string) => Buffer.from(text).toString('base64')
const whole = { 'ca.crt': base64('authority'), namespace: base64('default'), token: base64('token in s') }

function filled(data: Secret['data'], rootAuthority = 'authority'): Secret | undefined {
  const secret = tokenSecret('s', 'robot', { data })
  const decision = decide({ secret, account, rootAuthority })
  return decision?.do === 'fill' ? filledSecret(secret, decision, { rootAuthority, sign }) : undefined
}

describe('a secret for a token', () => {
  for (const [what, before, after] of [
    ['is filled', {}, whole],
    ['is not written when it is full', whole, undefined],
    ['keeps the token that it has', { token: base64('mine') }, { ...whole, token: base64('mine') }],
    ['keeps the namespace that it has', { namespace: base64('mine') }, { ...whole, namespace: base64('mine') }],
    ['gets the current certificate', { ...whole, 'ca.crt': base64('old') }, whole],
    ['keeps its other data', { more: base64('more') }, { ...whole, more: base64('more') }],
  ] as const)
    test(what, () => assert.deepEqual(filled(before)?.data, after))

  test('has no certificate if the cluster has none', () => {
    const { 'ca.crt': _, ...rest } = whole
    assert.deepEqual(filled({}, '')?.data, rest)
    assert.equal(filled(rest, ''), undefined)
  })

  test('names its account and the uid of the account', () =>
    assert.deepEqual(filled({})?.metadata.annotations, {
      'kubernetes.io/service-account.name': 'robot',
      'kubernetes.io/service-account.uid': '7',
    }))

  test('is deleted if its account does not exist', () => {
    const secret = tokenSecret('s', 'robot')
    assert.equal(decide({ secret, account: undefined, rootAuthority: undefined })?.do, 'delete')
  })

  test('is left alone if it is of another type', () => {
    const secret = tokenSecret('s', 'robot', { type: 'Opaque' })
    assert.equal(decide({ secret, account: undefined, rootAuthority: undefined }), undefined)
  })

  test('that is gone is no longer listed by accounts', () => {
    const lists = { ...account, secrets: [{ name: 's' }, { name: 'other' }] }
    const decision = decide({ secret: undefined, name: 's', listedBy: [lists, account] })
    assert.deepEqual(decision, { do: 'unlist', accounts: [{ ...account, secrets: [{ name: 'other' }] }] })
  })
})
