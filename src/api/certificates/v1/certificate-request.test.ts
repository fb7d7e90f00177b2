import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleCertificate, sampleRequest } from '../../../testing/objects/certificate-samples.js'
import { pemBlocks } from '../../pem.js'
import { CertificateRequestError, parseCertificateRequest, readCertificateRequest } from './certificate-request.js'

const text = Buffer.from(sampleRequest, 'base64').toString()
const { bytes } = pemBlocks(text)[0]!

describe('certificate requests', () => {
  it('say who asks, and are signed by the key that they ask for', () => {
    const request = parseCertificateRequest(text)
    assert.equal(request.commonName, 'jane')
    assert.deepEqual(request.organizations, ['dev'])
    assert.equal(request.publicKey.asymmetricKeyType, 'ec')
  })

  it('are no certificates', () => {
    assert.throws(
      () => parseCertificateRequest(Buffer.from(sampleCertificate, 'base64').toString()),
      new CertificateRequestError('PEM block type must be CERTIFICATE REQUEST'),
    )
  })

  it('are worth nothing when a single byte of what was signed is another', () => {
    const changed = Buffer.from(bytes)
    changed[bytes.indexOf('jane')]! ^= 1
    assert.throws(
      () => readCertificateRequest(changed),
      new CertificateRequestError('x509: ECDSA verification failure'),
    )
  })

  it('that are cut off, or go on, are rejected and nothing worse', () => {
    for (let length = 0; length < bytes.length; length++)
      assert.throws(() => readCertificateRequest(bytes.subarray(0, length)), CertificateRequestError, String(length))
    assert.throws(
      () => readCertificateRequest(Buffer.concat([bytes, Buffer.from([5, 0])])),
      new CertificateRequestError('asn1: syntax error: trailing data'),
    )
  })

  it('with any other byte are rejected and nothing worse', () => {
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 0xff
      assert.throws(() => readCertificateRequest(changed), CertificateRequestError, String(i))
    }
  })
})
