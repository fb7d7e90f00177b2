import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Secret } from '../../api/core/v1/secret.js'
import { decide } from './decide.js'

const now = Date.UTC(2026, 0, 1)
const kubeconfig = 'Hello from the other side. I must have called a thousand times.'

function token(options: Readonly<Record<string, string>> = {}, name = 'bootstrap-token-joshua'): Secret {
  const values = {
    'token-id': 'joshua',
    'token-secret': 'my voice is my passcode',
    'usage-bootstrap-signing': 'true',
    ...options,
  }
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  )
  return {
    metadata: { name, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data,
  } as unknown as Secret
}

/** The signature that kubeadm computes for the same token and content. */
const signature = 'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8'
const signed = { kubeconfig, 'jws-kubeconfig-joshua': signature }

describe('cluster-info', () => {
  for (const [what, data, tokens, expected] of [
    ['is signed with each token', { kubeconfig }, [token()], signed],
    ['is not written if its signatures are right', signed, [token()], undefined],
    ['is signed again when its content has changed', { ...signed, 'jws-kubeconfig-joshua': 'old' }, [token()], signed],
    ['loses the signature of a token that is gone', signed, [], { kubeconfig }],
    [
      'loses the signature of a token that has expired',
      signed,
      [token({ expiration: '2026-01-01T00:00:00Z' })],
      { kubeconfig },
    ],
    ['is not signed with tokens for other uses', signed, [token({ 'usage-bootstrap-signing': 'no' })], { kubeconfig }],
    ['is not signed with tokens without a secret', signed, [token({ 'token-secret': '' })], { kubeconfig }],
    ['is not signed with tokens under a wrong name', signed, [token({}, 'bootstrap-token-jumble')], { kubeconfig }],
    ['keeps its other data', { kubeconfig, more: 'x' }, [token()], { ...signed, more: 'x' }],
    ['is left alone without a kubeconfig', { more: 'x' }, [token()], undefined],
  ] as const)
    test(what, () => assert.deepEqual(decide({ data, secrets: tokens, now }).data, expected))

  test('is reconciled again when the next token expires', () => {
    const tokens = ['2026-01-01T00:00:00Z', '2026-01-01T00:02:00Z', '2026-01-01T00:01:00Z'].map((expiration) =>
      token({ expiration }),
    )
    assert.equal(decide({ data: {}, secrets: [...tokens, token()], now }).requeueAfter, 60_000)
    assert.equal(decide({ data: {}, secrets: [token()], now }).requeueAfter, undefined)
  })
})
