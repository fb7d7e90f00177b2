import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Secret } from '../../api/core/v1/secret.js'
import { nextEnd, signedData } from './signatures.js'

const now = Date.UTC(2026, 0, 1)
const kubeconfig = 'Hello from the other side. I must have called a thousand times.'

function token(parts: Readonly<Record<string, string>> = {}, name = 'bootstrap-token-joshua'): Secret {
  const values = {
    'token-id': 'joshua',
    'token-secret': 'my voice is my passcode',
    'usage-bootstrap-signing': 'true',
    ...parts,
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

/** What kubeadm computes for the same token and content. */
const signature = 'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8'
const signed = { kubeconfig, 'jws-kubeconfig-joshua': signature }

describe('what strangers may know', () => {
  for (const [what, data, tokens, expected] of [
    ['is signed by each token', { kubeconfig }, [token()], signed],
    ['is left alone when it is signed', signed, [token()], undefined],
    ['is signed anew when it has changed', { ...signed, 'jws-kubeconfig-joshua': 'old' }, [token()], signed],
    ['is not signed by tokens that are gone', signed, [], { kubeconfig }],
    [
      'is not signed by tokens that have ended',
      signed,
      [token({ expiration: '2026-01-01T00:00:00Z' })],
      { kubeconfig },
    ],
    ['is not signed by tokens for other uses', signed, [token({ 'usage-bootstrap-signing': 'no' })], { kubeconfig }],
    ['is not signed by tokens without a secret', signed, [token({ 'token-secret': '' })], { kubeconfig }],
    ['is not signed by tokens under a wrong name', signed, [token({}, 'bootstrap-token-jumble')], { kubeconfig }],
    ['keeps what else is there', { kubeconfig, more: 'x' }, [token()], { ...signed, more: 'x' }],
    ['need not be there', { more: 'x' }, [token()], undefined],
  ] as const)
    test(what, () => assert.deepEqual(signedData(data, tokens, now), expected))

  test('is looked at again when the next token ends', () => {
    const tokens = ['2026-01-01T00:00:00Z', '2026-01-01T00:02:00Z', '2026-01-01T00:01:00Z'].map((expiration) =>
      token({ expiration }),
    )
    assert.equal(nextEnd([...tokens, token()], now), now + 60_000)
    assert.equal(nextEnd([token()], now), undefined)
  })
})
