import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Secret } from '../../api/core/v1/secret.js'
import { registryCredentials } from './docker-config.js'
import { pullSecret } from './images.test.kit.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const accounts = (secret: Secret) =>
  registryCredentials(secret).map(({ registry, username, password }) => ({ registry, username, password }))

describe('a pull secret', () => {
  test('has an account for each registry, as one field or two', () => {
    const secret = pullSecret('s', {
      'a.example': { username: 'u', password: 'p' },
      'b.example': { username: 'not me', auth: base64('user:pass:word') },
    })
    assert.deepEqual(accounts(secret), [
      { registry: 'a.example', username: 'u', password: 'p' },
      { registry: 'b.example', username: 'user', password: 'pass:word' },
    ])
  })

  test('may have the old format', () => {
    const data = { '.dockercfg': base64(JSON.stringify({ 'a.example': { auth: base64('u:p') } })) }
    const secret = { ...pullSecret('s', {}), type: 'kubernetes.io/dockercfg', data } as Secret
    assert.deepEqual(accounts(secret), [{ registry: 'a.example', username: 'u', password: 'p' }])
  })

  test('of another type is empty', () => {
    assert.deepEqual(accounts({ ...pullSecret('s', { 'a.example': {} }), type: 'Opaque' }), [])
  })

  test('that is malformed is rejected without quoting it', () => {
    const broken = [
      pullSecret('s', { 'a.example': { auth: base64('topsecret') } }),
      { ...pullSecret('s', {}), data: { '.dockerconfigjson': base64('{topsecret') } } as Secret,
      { ...pullSecret('s', {}), data: { '.dockerconfigjson': base64('["topsecret"]') } } as Secret,
    ]
    for (const secret of broken)
      assert.throws(
        () => registryCredentials(secret),
        (error: Error) => error.name === 'PullSecretError' && !error.message.includes('topsecret'),
      )
  })
})
