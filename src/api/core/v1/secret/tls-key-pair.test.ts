import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, test } from 'node:test'
import { keyPairProblem } from './tls-key-pair.js'

const pem = (type: string, body = 'AAAA') => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`
const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string

/** One value in DER, short enough for two bytes of length. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag, 0x82, content.length >> 8, content.length & 0xff), content])
}

/** A certificate that says nothing but its key, and that nobody signed. */
function certificateOf(key: KeyObject): string {
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
  const time = der(0x17, Buffer.from('240101000000Z'))
  const version = der(0xa0, der(0x02, Uint8Array.of(2)))
  const serial = der(0x02, Uint8Array.of(1))
  const nobody = der(0x30)
  const content = [version, serial, algorithm, nobody, der(0x30, time, time), nobody]
  const publicKey = key.export({ type: 'spki', format: 'der' })
  const bytes = der(0x30, der(0x30, ...content, publicKey), algorithm, der(0x03, Uint8Array.of(0, 0)))
  return pem('CERTIFICATE', bytes.toString('base64').replace(/.{64}/g, '$&\n'))
}

const own = pair()
const certificate = certificateOf(own.publicKey)
const ownKey = pemOf(own.privateKey)

describe('a certificate and a key', () => {
  test('are a pair', () => {
    assert.equal(keyPairProblem(certificate, ownKey), undefined)
    assert.equal(
      keyPairProblem(`text before\n${pem('DH PARAMETERS')}${certificate}`, `${pem('EC PARAMETERS')}${ownKey}`),
      undefined,
    )
  })

  test('do not match', () => {
    assert.equal(keyPairProblem(certificate, pemOf(pair().privateKey)), 'tls: private key does not match public key')
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs1', format: 'pem' })
    assert.equal(keyPairProblem(certificate, rsa as string), 'tls: private key type does not match public key type')
  })

  test('are missing or malformed', () => {
    const cases: [string, string, string][] = [
      ['', '', 'tls: failed to find any PEM data in certificate input'],
      [
        ownKey,
        certificate,
        'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      ],
      [
        pem('A') + pem('B'),
        '',
        'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
      ],
      [certificate, 'none', 'tls: failed to find any PEM data in key input'],
      [certificate, certificate, 'tls: found a certificate rather than a key in the PEM for the private key'],
      [
        certificate,
        pem('A'),
        'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A]',
      ],
      [certificate, pem('PRIVATE KEY'), 'tls: failed to parse private key'],
      [pem('CERTIFICATE'), ownKey, 'x509: malformed certificate'],
    ]
    for (const [one, other, problem] of cases) assert.equal(keyPairProblem(one, other), problem)
  })
})
