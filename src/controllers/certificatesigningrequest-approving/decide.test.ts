import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestSpec,
} from '../../api/certificates/v1/certificate-signing-request.js'
import { formatTime } from '../../schema/values/time.js'
import { newKey } from '../../wire/x509/certificate.js'
import { certificateRequest } from '../../wire/x509/request.js'
import { type ApprovalObservation, decide, permissionsFor } from './decide.js'

const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet'
const usages = ['client auth', 'digital signature']
const createdAt = Date.UTC(2026, 0, 1)
const key = newKey()

function request(
  spec: Partial<CertificateSigningRequestSpec> = {},
  organizations = ['system:nodes'],
): CertificateSigningRequest {
  const wanted = certificateRequest(key, { commonName: 'system:node:a', organizations })
  const encoded = Buffer.from(wanted).toString('base64')
  return {
    metadata: { name: 'r', creationTimestamp: formatTime(createdAt) },
    spec: { signerName: kubelet, usages, username: 'joiner', request: encoded, ...spec },
    status: {},
  } as CertificateSigningRequest
}

function permissions(of: CertificateSigningRequest): readonly string[] {
  return permissionsFor(of).map(({ subresource }) => subresource)
}

describe('a request for the client certificate of a node', () => {
  test('is approved for users that may create nodeclient', () =>
    assert.deepEqual(permissions(request()), ['nodeclient']))

  test('is approved for the node itself if it may create selfnodeclient', () =>
    assert.deepEqual(permissions(request({ username: 'system:node:a' })), ['selfnodeclient', 'nodeclient']))

  test('is left to people if it is for another signer', () => {
    assert.deepEqual(permissions(request({ signerName: 'kubernetes.io/kube-apiserver-client' })), [])
    assert.deepEqual(permissions(request({ signerName: 'kubernetes.io/kubelet-serving' })), [])
  })

  test('is left to people if it asks for other usages or organizations', () => {
    assert.deepEqual(permissions(request({ usages: ['server auth', 'digital signature'] })), [])
    assert.deepEqual(permissions(request({}, ['system:masters'])), [])
  })

  test('is left alone once it is decided', () => {
    const conditions = [{ type: 'Denied', status: 'True' }] as const
    assert.deepEqual(permissions({ ...request(), status: { conditions } }), [])
  })
})

describe('the decision', () => {
  const observed = (options: Partial<ApprovalObservation>): ApprovalObservation => ({
    ...{ request: request(), granted: undefined, now: createdAt },
    ...options,
  })

  test('is an approval if a permission is granted', () => {
    const granted = { subresource: 'nodeclient', message: 'so' }
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message: 'so' }
    assert.deepEqual(decide(observed({ granted })), { do: 'approve', condition })
  })

  test('is to ask again otherwise, ever more rarely', () => {
    const delays = [0, 60_000, 86_400_000].map((age) => decide(observed({ now: createdAt + age })))
    assert.deepEqual(
      delays,
      [1_000, 60_000, 1_000_000].map((requeueAfter) => ({ do: 'wait', requeueAfter })),
    )
  })
})
