import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { parseCertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import { environment } from '../../base/environment.js'
import { programMissing } from '../../testing/processes/programs.js'
import { certify, issue, newKey } from './certificate.js'
import { issuerOf } from './issuer.js'
import { certificateRequest } from './request.js'

const env = environment()
const tomorrow = env.clock.now() + 86_400_000
const authorityRequest = { commonName: 'authority', use: 'authority', notAfter: tomorrow } as const

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

const keys: Readonly<Record<string, string>> = {
  RSA: pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
  'P-256': newKey(),
  'P-384': pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
  'P-521': pem(generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey),
  Ed25519: pem(generateKeyPairSync('ed25519').privateKey),
}

function folderFor(context: TestContext): (name: string, content?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-x509-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return (name, content) => {
    if (content !== undefined) writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
}

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

describe('a certificate', () => {
  for (const [kind, key] of Object.entries(keys))
    test(`of an authority with a key of ${kind} stands up to OpenSSL`, {
      skip: programMissing('openssl'),
    }, (context) => {
      const file = folderFor(context)
      const authority = certify(key, authorityRequest, env)
      const { cert } = issue({ commonName: 'jane', use: 'client', notAfter: tomorrow }, env, authority)
      openssl('verify', '-x509_strict', '-CAfile', file('ca', authority.cert), '-purpose', 'sslclient', file('c', cert))
    })

  test('names its authority as that names itself', { skip: programMissing('openssl') }, (context) => {
    const file = folderFor(context)
    const [cert, key] = [file('ca.crt'), file('ca.key')]
    const extensions = ['subjectKeyIdentifier=0102030405', 'authorityKeyIdentifier=none']
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=theirs'],
      ...extensions.flatMap((extension) => ['-addext', extension]),
      ...['-keyout', key, '-out', cert],
    )
    const authority = { cert: openssl('x509', '-in', cert), key: openssl('pkey', '-in', key) }
    const made = issue({ commonName: 'jane', use: 'client', notAfter: tomorrow }, env, authority)
    openssl('verify', '-CAfile', cert, file('made', made.cert))
    const shown = openssl('x509', '-in', file('made'), '-noout', '-ext', 'authorityKeyIdentifier')
    assert.match(shown, /01:02:03:04:05/)
  })

  test('cannot be signed by a key that is not the authority’s', () => {
    const { cert } = certify(keys['P-256']!, authorityRequest, env)
    assert.throws(() => issuerOf({ cert, key: keys['P-384']! }), /the key does not match the certificate/)
  })

  test('is an authority only if it is made one', () => {
    assert.equal(new X509Certificate(certify(newKey(), authorityRequest, env).cert).ca, true)
    const leaf = issue({ commonName: 'jane', use: 'client', notAfter: tomorrow }, env)
    assert.equal(new X509Certificate(leaf.cert).ca, false)
  })
})

describe('a request for a certificate', () => {
  for (const [kind, key] of Object.entries(keys))
    test(`with a key of ${kind} is understood by the server and by OpenSSL`, {
      skip: programMissing('openssl'),
    }, (context) => {
      const wanted = { commonName: 'jane', organizations: ['dev', 'ops'], dnsNames: ['a.example'] }
      const request = certificateRequest(key, wanted)
      const read = parseCertificateRequest(request)
      assert.equal(read.commonName, 'jane')
      assert.deepEqual(read.organizations, ['dev', 'ops'])
      assert.deepEqual(read.alternativeNames.dnsNames, ['a.example'])
      openssl('req', '-verify', '-noout', '-in', folderFor(context)('r', request))
    })
})
