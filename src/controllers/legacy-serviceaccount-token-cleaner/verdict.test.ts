import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'
import { tokenSecret } from '../serviceaccount-token/secrets.test.kit.js'
import { type TokenUse, verdictOn } from './verdict.js'

const day = 24 * 60 * 60_000
const now = Date.UTC(2027, 5, 30)
const account = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', uid: '7' },
  secrets: [{ name: 'robot-token' }],
} as ServiceAccount
const use: TokenUse = { now, period: 365 * day, account, isMounted: () => false }
const lastUsed = 'kubernetes.io/legacy-token-last-used'
const invalidSince = 'kubernetes.io/legacy-token-invalid-since'

function verdict(
  labels: Record<string, string> = {},
  parts: Partial<TokenUse> & { metadata?: object; type?: string } = {},
) {
  const { metadata, type = 'kubernetes.io/service-account-token', ...rest } = parts
  const secret = tokenSecret('robot-token', 'robot', { type })
  const whole = {
    ...secret,
    metadata: { ...secret.metadata, creationTimestamp: '2026-01-01T00:00:00Z', labels, ...metadata },
  }
  return verdictOn(whole, { ...use, ...rest })
}

describe('a token that was made without being asked for', () => {
  for (const [what, actual, expected] of [
    ['is made invalid when nobody has ever used it', verdict(), 'invalidate'],
    ['is made invalid when nobody has used it for a year', verdict({ [lastUsed]: '2026-06-29' }), 'invalidate'],
    ['is kept when somebody has used it since', verdict({ [lastUsed]: '2026-06-30' }), 'keep'],
    ['is kept when nobody knows when it was used', verdict({ [lastUsed]: 'long ago' }), 'keep'],
    ['is kept when it is young', verdict({}, { metadata: { creationTimestamp: '2026-07-01T00:00:00Z' } }), 'keep'],
    ['is kept while pods refer to it', verdict({}, { isMounted: () => true }), 'keep'],
    ['is kept while it goes already', verdict({}, { metadata: { deletionTimestamp: '2027-01-01T00:00:00Z' } }), 'keep'],
    ['is deleted when it was invalid for a year', verdict({ [invalidSince]: '2026-06-29' }), 'delete'],
    ['is kept while it was invalid for less', verdict({ [invalidSince]: '2026-06-30' }), 'keep'],
    [
      'is made invalid anew when nobody knows since when it is',
      verdict({ [invalidSince]: '2026-13-01' }),
      'invalidate',
    ],
  ] as const)
    test(what, () => assert.equal(actual, expected))
})

describe('what is kept', () => {
  test('is what its account does not list: somebody made it by hand', () =>
    assert.equal(verdict({}, { account: { ...account, secrets: [] } }), 'keep'))
  test('is the token of an account that is not there', () => assert.equal(verdict({}, { account: undefined }), 'keep'))
  test('is the token of another account of that name', () =>
    assert.equal(
      verdict(
        {},
        {
          metadata: {
            annotations: { 'kubernetes.io/service-account.name': 'robot', 'kubernetes.io/service-account.uid': '8' },
          },
        },
      ),
      'keep',
    ))
  test('is what is no token', () => assert.equal(verdict({}, { type: 'Opaque' }), 'keep'))
})
