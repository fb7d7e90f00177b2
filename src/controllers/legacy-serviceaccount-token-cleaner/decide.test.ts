import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'
import { tokenSecret } from '../serviceaccount-token/secrets.test.kit.js'
import { decide } from './decide.js'

const day = 24 * 60 * 60_000
const now = Date.UTC(2027, 5, 30)
const account = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', uid: '7' },
  secrets: [{ name: 'robot-token' }],
} as ServiceAccount
const lastUsed = 'kubernetes.io/legacy-token-last-used'
const invalidSince = 'kubernetes.io/legacy-token-invalid-since'

interface TokenOptions {
  readonly metadata?: object
  readonly type?: string
  readonly account?: ServiceAccount | undefined
  readonly isMounted?: boolean
  readonly trackedSince?: number
}

function decision(labels: Record<string, string> = {}, options: TokenOptions = {}): string {
  const { metadata, type = 'kubernetes.io/service-account-token', isMounted = false, trackedSince = 0 } = options
  const secret = tokenSecret('robot-token', 'robot', { type })
  const whole = {
    ...secret,
    metadata: { ...secret.metadata, creationTimestamp: '2026-01-01T00:00:00Z', labels, ...metadata },
  }
  const token = { secret: whole, account: 'account' in options ? options.account : account, isMounted }
  return decide({ now, period: 365 * day, trackedSince, tokens: [token] })[0]?.do ?? 'keep'
}

describe('an auto-generated token', () => {
  for (const [what, actual, expected] of [
    ['is invalidated if it was never used', decision(), 'invalidate'],
    ['is invalidated if it was not used for a year', decision({ [lastUsed]: '2026-06-29' }), 'invalidate'],
    ['is kept if it was used since', decision({ [lastUsed]: '2026-06-30' }), 'keep'],
    ['is kept if the day of its last use cannot be parsed', decision({ [lastUsed]: 'long ago' }), 'keep'],
    [
      'is kept if it is younger than a year',
      decision({}, { metadata: { creationTimestamp: '2026-07-01T00:00:00Z' } }),
      'keep',
    ],
    ['is kept while pods refer to it', decision({}, { isMounted: true }), 'keep'],
    [
      'is left alone if it is being deleted',
      decision({}, { metadata: { deletionTimestamp: '2027-01-01T00:00:00Z' } }),
      'keep',
    ],
    ['is deleted after a year of being invalid', decision({ [invalidSince]: '2026-06-29' }), 'delete'],
    ['is kept until then', decision({ [invalidSince]: '2026-06-30' }), 'keep'],
    ['is invalidated again if the day cannot be parsed', decision({ [invalidSince]: '2026-13-01' }), 'invalidate'],
  ] as const)
    test(what, () => assert.equal(actual, expected))
})

describe('a token is kept', () => {
  test('if its account does not list it, because a user created it', () =>
    assert.equal(decision({}, { account: { ...account, secrets: [] } }), 'keep'))
  test('if its account does not exist', () => assert.equal(decision({}, { account: undefined }), 'keep'))
  test('if its account is another one of the same name', () =>
    assert.equal(
      decision(
        {},
        {
          metadata: {
            annotations: { 'kubernetes.io/service-account.name': 'robot', 'kubernetes.io/service-account.uid': '8' },
          },
        },
      ),
      'keep',
    ))
  test('if the secret is not a token', () => assert.equal(decision({}, { type: 'Opaque' }), 'keep'))
  test('if uses have been recorded for less than a year', () =>
    assert.equal(decision({}, { trackedSince: now - 364 * day }), 'keep'))
})
