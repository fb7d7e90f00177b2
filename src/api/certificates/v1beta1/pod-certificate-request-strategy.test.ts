import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { sampleRequest } from '../../../testing/objects/certificate-samples.js'
import { KindHarness } from '../../../testing/objects/kind-harness.js'
import { pemBlocks } from '../../pem.js'

const kind = new KindHarness('certificates/v1beta1.PodCertificateRequest')
const stub = pemBlocks(Buffer.from(sampleRequest, 'base64').toString())[0]!.bytes.toString('base64')
const spec = {
  signerName: 'example.com/staff',
  podName: 'web',
  podUID: 'u-1',
  serviceAccountName: 'default',
  serviceAccountUID: 'u-2',
  nodeName: 'n',
  nodeUID: 'u-3',
  stubPKCS10Request: stub,
}
const request = kind.create({ spec })

function problemsOf(change: object): readonly string[] {
  return kind.create({ spec: { ...spec, ...change } }).errors
}

describe('pod certificate requests', () => {
  it('ask for a day', () => {
    assert.deepEqual(request.errors, [])
    assert.equal((request.object.spec as { maxExpirationSeconds: number }).maxExpirationSeconds, 86_400)
  })

  it('say for whom', () => {
    assert.deepEqual(problemsOf({ podUID: '', nodeUID: 'x'.repeat(129) }), [
      'spec.podUID: Invalid value: "": must not be empty',
      'spec.nodeUID: Too long: may not be more than 128 bytes',
    ])
  })

  it('ask the signers of Kubernetes for a day at most, others for a quarter of a year', () => {
    assert.deepEqual(problemsOf({ maxExpirationSeconds: 90_000 }), [])
    assert.deepEqual(problemsOf({ maxExpirationSeconds: 60 }), [
      'spec.maxExpirationSeconds: Invalid value: 60: must be in the range [3600, 7862400]',
    ])
    assert.deepEqual(problemsOf({ signerName: 'kubernetes.io/a', maxExpirationSeconds: 90_000 }), [
      'spec.maxExpirationSeconds: Invalid value: 90000: must be in the range [3600, 86400]',
    ])
  })

  it('prove that they have the key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const pkixPublicKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const proof = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64')
    const alone = { stubPKCS10Request: '', pkixPublicKey }
    assert.deepEqual(problemsOf({ ...alone, proofOfPossession: proof('u-1') }), [])
    assert.deepEqual(problemsOf({ ...alone, proofOfPossession: proof('u-2') }), [
      'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature',
    ])
    assert.deepEqual(problemsOf({ pkixPublicKey, proofOfPossession: proof('u-1') }), [
      'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
    ])
    assert.deepEqual(problemsOf({ stubPKCS10Request: 'YWJj' }), [
      'spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR',
    ])
  })

  it('have keys that are strong enough', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pkixPublicKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    assert.deepEqual(problemsOf({ stubPKCS10Request: '', pkixPublicKey, proofOfPossession: 'YWJj' }), [
      'spec.pkixPublicKey: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096',
    ])
  })

  it('do not change', () => {
    assert.match(
      kind.update(request, { spec: { podName: 'other' } }).errors.join(),
      /^spec: Invalid value: \{"SignerName":.*: field is immutable$/,
    )
  })
})

describe('the outcome of a pod certificate request', () => {
  const condition = {
    type: 'Denied',
    status: 'True',
    reason: 'No',
    message: '',
    lastTransitionTime: '2024-01-01T00:00:00Z',
  }
  const denied = kind.update(request, { status: { conditions: [condition] } }, 'status')

  it('is one of three, and true', () => {
    assert.deepEqual(denied.errors, [])
    const wrong = [
      { ...condition, status: 'False' },
      { ...condition, type: 'Lost' },
    ]
    assert.deepEqual(kind.update(request, { status: { conditions: wrong } }, 'status').errors, [
      'status.conditions.[0].status: Unsupported value: "False": supported values: "True"',
      'status.conditions.[1].type: Unsupported value: "Lost": supported values: "Issued", "Denied", "Failed"',
    ])
  })

  it('is final', () => {
    assert.deepEqual(
      kind.update(denied, { status: { conditions: [{ ...condition, type: 'Failed' }] } }, 'status').errors,
      ['status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed'],
    )
  })

  it('has a certificate only if one was issued', () => {
    assert.deepEqual(
      kind.update(request, { status: { conditions: [condition], certificateChain: 'x' } }, 'status').errors,
      [
        'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
      ],
    )
    const issued = { conditions: [{ ...condition, type: 'Issued' }], certificateChain: 'x' }
    assert.deepEqual(kind.update(request, { status: issued }, 'status').errors, [
      'status.certificateChain: Invalid value: "x": issued certificate chain must contain at least one certificate',
    ])
  })
})
