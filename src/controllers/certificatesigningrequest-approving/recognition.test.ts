import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import type { CertificateSigningRequestSpec } from '../../api/certificates/v1/certificate-signing-request.js'
import { patience, permissionsFor } from './recognition.js'

const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet'
const usages = ['client auth', 'digital signature']

function permissions(spec: Partial<CertificateSigningRequestSpec>, organizations = ['system:nodes']) {
  const alternativeNames = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] }
  const request = { commonName: 'system:node:a', organizations, alternativeNames } as unknown as CertificateRequest
  const whole = { signerName: kubelet, usages, username: 'joiner', request: '', ...spec }
  return permissionsFor(whole as CertificateSigningRequestSpec, request).map(({ subresource }) => subresource)
}

describe('a request of a node', () => {
  test('is granted to those who may speak for new nodes', () => assert.deepEqual(permissions({}), ['nodeclient']))

  test('is granted to the node itself, too', () =>
    assert.deepEqual(permissions({ username: 'system:node:a' }), ['selfnodeclient', 'nodeclient']))

  test('of another signer is for people to decide about', () => {
    assert.deepEqual(permissions({ signerName: 'kubernetes.io/kube-apiserver-client' }), [])
    assert.deepEqual(permissions({ signerName: 'kubernetes.io/kubelet-serving' }), [])
  })

  test('for something else is for people to decide about', () => {
    assert.deepEqual(permissions({ usages: ['server auth', 'digital signature'] }), [])
    assert.deepEqual(permissions({}, ['system:masters']), [])
  })

  test('that is not granted is asked about ever more seldom, and never given up', () => {
    assert.equal(patience(0, 0), 1_000)
    assert.equal(patience(0, 60_000), 60_000)
    assert.equal(patience(0, 86_400_000), 1_000_000)
  })
})
