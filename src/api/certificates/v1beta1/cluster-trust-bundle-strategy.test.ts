import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleCertificate, sampleRequest } from '../../../testing/objects/certificate-samples.js'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const kind = new KindHarness('certificates/v1beta1.ClusterTrustBundle')
const anchor = Buffer.from(sampleCertificate, 'base64').toString()

function written(name: string, spec: object) {
  return kind.create({ metadata: { name }, spec: { trustBundle: anchor, ...spec } })
}

describe('cluster trust bundles', () => {
  it('are named after their signer, if they have one', () => {
    assert.deepEqual(written('roots', {}).errors, [])
    assert.deepEqual(written('example.com:staff:roots', { signerName: 'example.com/staff' }).errors, [])
    assert.deepEqual(written('roots', { signerName: 'example.com/staff' }).errors, [
      'metadata.name: Invalid value: "roots": ClusterTrustBundle for signerName example.com/staff must be named with prefix example.com:staff:',
    ])
    assert.deepEqual(written('a:b', {}).errors, [
      'metadata.name: Invalid value: "a:b": ClusterTrustBundle without signer name must not have ":" in its name',
    ])
  })

  it('hold authorities, each once', () => {
    const problemsOf = (trustBundle: string) => written('roots', { trustBundle }).errors
    const path = 'spec.trustBundle: Invalid value: "<value omitted>": '
    assert.deepEqual(problemsOf(''), [`${path}at least one trust anchor must be provided`])
    assert.deepEqual(problemsOf(anchor + anchor), [`${path}duplicate trust anchor (indices [0 1])`])
    assert.deepEqual(problemsOf(anchor + Buffer.from(sampleRequest, 'base64').toString()), [
      `${path}entry 1 has bad block type: CERTIFICATE REQUEST`,
    ])
    assert.deepEqual(problemsOf('-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n'), [
      `${path}entry 0 does not parse as X.509`,
    ])
  })

  it('keep their signer', () => {
    const old = written('example.com:staff:roots', { signerName: 'example.com/staff' })
    assert.deepEqual(kind.update(old, { spec: { signerName: null } }).errors.slice(-1), [
      'spec.signerName: Invalid value: null: field is immutable',
    ])
  })
})
