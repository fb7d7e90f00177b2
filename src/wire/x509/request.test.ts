import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { CertificateRequestError, parseCertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import { type CertificateRequestOptions, certificateRequest } from './request.js'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

function namesOf(wanted: CertificateRequestOptions) {
  return parseCertificateRequest(certificateRequest(key, wanted)).alternativeNames
}

describe('the alternative names of a request', () => {
  test('are those of the request, of every type', () => {
    const wanted = {
      dnsNames: ['a.example', 'b.example'],
      emailAddresses: ['jane@a.example'],
      ipAddresses: [Buffer.from([192, 0, 2, 1]), Buffer.alloc(16, 1)],
      uris: ['spiffe://a.example/jane'],
    }
    assert.deepEqual(namesOf(wanted), wanted)
  })

  test('are optional', () => {
    assert.deepEqual(namesOf({ commonName: 'jane' }), {
      dnsNames: [],
      emailAddresses: [],
      ipAddresses: [],
      uris: [],
    })
  })

  for (const [what, wanted, message] of [
    ['an address of five bytes', { ipAddresses: [Buffer.alloc(5)] }, 'x509: cannot parse IP address of length 5'],
    ['a host with an umlaut', { dnsNames: ['grün.example'] }, 'x509: SAN dNSName is malformed'],
    ['a mail address with an umlaut', { emailAddresses: ['ü@a.example'] }, 'x509: SAN rfc822Name is malformed'],
    ['a URI with an umlaut', { uris: ['x://ü'] }, 'x509: SAN uniformResourceIdentifier is malformed'],
  ] as const)
    test(`are rejected with ${what}`, () => assert.throws(() => namesOf(wanted), new CertificateRequestError(message)))
})
