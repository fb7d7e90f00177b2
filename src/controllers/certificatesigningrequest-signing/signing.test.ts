import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { parseCertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import { environment } from '../../base/environment.js'
import { programMissing } from '../../testing/processes/programs.js'
import { issue, newKey } from '../../wire/x509/certificate.js'
import { issuerOf } from '../../wire/x509/issuer.js'
import { type CertificateRequestOptions, certificateRequest } from '../../wire/x509/request.js'
import { signedCertificate } from '../../wire/x509/signed-certificate.js'
import { certificateContents, certificateUsages } from './certificate-contents.js'
import { signerValidations } from './signers.js'
import { validityOf } from './validity.js'

const minute = 60_000
const hour = 60 * minute
const year = 365 * 24 * hour
const testEnvironment = environment()
const now = testEnvironment.clock.now()
const authority = issue({ commonName: 'authority', use: 'authority', notAfter: now + year }, testEnvironment)

describe('a certificate is valid', () => {
  const signerEnds = now + 10 * year
  for (const [what, seconds, from, to] of [
    ['for the configured duration, backdated a little', undefined, -5 * minute, year - 5 * minute],
    ['for the requested duration', 86_400, -5 * minute, 24 * hour - 5 * minute],
    ['not longer than the configured duration', 100_000_000, -5 * minute, year - 5 * minute],
    ['for the whole requested duration, if that is short', 3600, -5 * minute, hour],
    ['for at least ten minutes', 1, -5 * minute, 10 * minute],
  ] as const)
    test(what, () =>
      assert.deepEqual(validityOf({ now, maxDuration: year, seconds, signerEnds }), {
        notBefore: now + from,
        notAfter: now + to,
      }),
    )

  test('not longer than the certificate of the signer', () => {
    assert.equal(validityOf({ now, maxDuration: year, signerEnds: now + hour }).notAfter, now + hour)
    assert.throws(() => validityOf({ now, maxDuration: year, signerEnds: now }), /has expired/)
  })

  test('within these limits, whatever is requested', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 10 * year }), (seconds, left) => {
        const { notBefore, notAfter } = validityOf({ now, maxDuration: year, seconds, signerEnds: now + left })
        assert.ok(notBefore < now && now < notAfter && notAfter <= Math.min(now + year, now + left))
      }),
    )
  })
})

describe('the usages of a certificate', () => {
  test('are the requested ones, each once and in order', () =>
    assert.deepEqual(
      certificateUsages(['s/mime', 'client auth', 'email protection', 'signing', 'digital signature', 'decipher only']),
      { keyBits: [0, 8], extendedIds: ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4'] },
    ))

  test('must be known', () => assert.throws(() => certificateUsages(['world domination']), /world domination/))
})

describe('a signer for clients of the API server', () => {
  const validate = signerValidations['kubernetes.io/kube-apiserver-client']
  for (const [usages, fault] of [
    [['client auth'], undefined],
    [['client auth', 'digital signature', 'key encipherment'], undefined],
    [['digital signature'], 'missing required usage for client certificate: client auth'],
    [['client auth', 'server auth'], 'invalid usage for client certificate: server auth'],
  ] as const)
    test(`${fault ? 'rejects' : 'signs'} ${usages.join(', ')}`, () =>
      assert.equal(validate({} as never, usages), fault))
})

describe('a signed certificate', { skip: programMissing('openssl') }, () => {
  const issuer = issuerOf(authority)
  const usages = ['client auth', 'digital signature', 'key encipherment', 'decipher only']

  function signed(wanted: CertificateRequestOptions, asked: readonly string[] = usages): string {
    const request = parseCertificateRequest(certificateRequest(newKey(), wanted))
    const validity = { notBefore: now - minute, notAfter: now + hour }
    return signedCertificate(
      certificateContents(request, { usages: asked, issuer, ...validity }),
      issuer,
      testEnvironment.random,
    )
  }

  /** The certificate as OpenSSL prints it, after strict verification. */
  function shown(context: TestContext, certificate: string, purpose = 'sslclient'): string {
    const folder = mkdtempSync(join(tmpdir(), 'proa-signing-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const [ca, cert] = [join(folder, 'ca'), join(folder, 'cert')]
    writeFileSync(ca, authority.cert)
    writeFileSync(cert, certificate)
    const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' })
    openssl('verify', '-x509_strict', '-CAfile', ca, '-purpose', purpose, cert)
    return openssl('x509', '-in', cert, '-noout', '-text', '-nameopt', 'RFC2253')
  }

  test('has subject, usages and issuer', (context) => {
    const text = shown(context, signed({ commonName: 'jane', organizations: ['dev', 'ops'] }))
    assert.match(text, /Subject: CN=jane,O=ops\+O=dev|Subject: CN=jane,O=dev\+O=ops/)
    assert.match(text, /Issuer: CN=authority/)
    assert.match(text, /Key Usage: critical\n\s+Digital Signature, Key Encipherment, Decipher Only\n/)
    assert.match(text, /Extended Key Usage: ?\n\s+TLS Web Client Authentication\n/)
    assert.match(text, /Basic Constraints: critical\n\s+CA:FALSE/)
    assert.doesNotMatch(text, /Alternative Name/)
  })

  test('has all requested alternative names', (context) => {
    const wanted = {
      dnsNames: ['a.example'],
      emailAddresses: ['jane@a.example'],
      ipAddresses: [Buffer.from([192, 0, 2, 1])],
      uris: ['spiffe://a/b'],
    }
    const text = shown(
      context,
      signed({ commonName: 'a', ...wanted }, ['server auth', 'digital signature']),
      'sslserver',
    )
    const names = 'DNS:a.example, email:jane@a.example, IP Address:192.0.2.1, URI:spiffe://a/b'
    assert.ok(text.includes(`X509v3 Subject Alternative Name: \n                ${names}`), text)
  })

  test('has critical alternative names if its subject is empty', (context) => {
    const text = shown(context, signed({ dnsNames: ['a.example'] }, ['server auth', 'digital signature']), 'sslserver')
    assert.match(text, /Subject Alternative Name: critical/)
  })

  test('has the known attributes of the subject in the usual order, and the last of several common names', (context) => {
    const more = [
      { attribute: '2.5.4.5', values: ['7'] },
      { attribute: '2.5.4.3', values: ['first'] },
      { attribute: '2.5.4.11', values: ['unit'] },
      { attribute: '2.5.4.6', values: ['DE'] },
      { attribute: '0.9.2342.19200300.100.1.1', values: ['hidden'] },
    ]
    const text = shown(context, signed({ commonName: 'jane', organizations: ['dev'], more }))
    assert.match(text, /Subject: serialNumber=7,CN=jane,OU=unit,O=dev,C=DE\n/)
  })

  test('is never a CA certificate, whatever is requested', () =>
    assert.equal(new X509Certificate(signed({ commonName: 'a' }, ['cert sign', 'client auth'])).ca, false))
})
