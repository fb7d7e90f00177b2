import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { parseFlags } from '../../base/flags/flags.js'
import { issue } from '../../wire/x509/certificate.js'
import type { X509KeyPair } from '../../wire/x509/issuer.js'
import { signingAuthorities, signingFlags } from './flags.js'

const testEnvironment = environment()
const notAfter = testEnvironment.clock.now() + 86_400_000
const authority = issue({ commonName: 'a', use: 'authority', notAfter }, testEnvironment)
const other = issue({ commonName: 'b', use: 'authority', notAfter }, testEnvironment)

function authorities(args: readonly string[], signing?: () => X509KeyPair | undefined) {
  const flags = parseFlags(signingFlags, args)
  return signingAuthorities({ flags, credentials: { signing }, readFile: (path) => readFileSync(path, 'utf8') })
}

function filesFor(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'proa-flags-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
}

function pair(file: (name: string, content: string) => string, { cert, key }: X509KeyPair, prefix = 'cluster-signing') {
  return [`--${prefix}-cert-file=${file(`${prefix}.crt`, cert)}`, `--${prefix}-key-file=${file(`${prefix}.key`, key)}`]
}

describe('the authorities that sign certificates', () => {
  const own = () => authority

  test('are the cluster’s own unless flags name others', () => {
    assert.deepEqual(authorities([], own)?.['kubernetes.io/kubelet-serving']?.(), authority)
    assert.equal(
      authorities([], () => undefined),
      undefined,
    )
  })

  test('come from files that are read each time', (context) => {
    const file = filesFor(context)
    const fromFiles = authorities(pair(file, authority), own)!
    assert.equal(Object.keys(fromFiles).length, 4)
    pair(file, other)
    assert.deepEqual(fromFiles['kubernetes.io/legacy-unknown']?.(), other)
  })

  test('may be given for single signers; then the others sign nothing', (context) => {
    const fromFiles = authorities(pair(filesFor(context), other, 'cluster-signing-kubelet-client'), own)!
    assert.deepEqual(Object.keys(fromFiles), ['kubernetes.io/kube-apiserver-client-kubelet'])
    assert.deepEqual(fromFiles['kubernetes.io/kube-apiserver-client-kubelet']?.(), other)
  })

  test('must be complete, of one form, and match their certificates', (context) => {
    const file = filesFor(context)
    const [cert] = pair(file, authority) as [string, string]
    assert.throws(
      () => authorities([cert]),
      /--cluster-signing-cert-file and --cluster-signing-key-file must be given together/,
    )
    const both = [...pair(file, authority), ...pair(file, other, 'cluster-signing-kubelet-serving')]
    assert.throws(() => authorities(both), /cannot be used with the files of single signers/)
    const mixed = pair(file, { cert: authority.cert, key: other.key })
    assert.throws(() => authorities(mixed), /is not the key of the certificate/)
  })
})
