import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleCertificate, sampleRequest } from '../../../testing/objects/certificate-samples.js'
import { KindHarness, type WriteResult } from '../../../testing/objects/kind-harness.js'

const kind = new KindHarness('certificates/v1.CertificateSigningRequest')
const spec = { request: sampleRequest, signerName: 'example.com/staff', usages: ['client auth'] }
const approval = { type: 'Approved', status: 'True', reason: 'Checked' }
const request = kind.create({ spec })

function problemsOf(change: object): readonly string[] {
  return kind.create({ spec: { ...spec, ...change } }).errors
}

function conditionsOf({ object }: WriteResult): readonly { readonly lastTransitionTime: string }[] {
  return (object.status as { conditions: [] }).conditions
}

describe('certificate signing requests', () => {
  it('come from whoever sends them, and are not decided yet', () => {
    const forged = kind.create({
      spec: { ...spec, username: 'root', uid: '0', groups: ['x'], extra: { a: ['b'] } },
      status: { conditions: [approval], certificate: sampleCertificate },
    })
    assert.deepEqual(forged.errors, [])
    assert.deepEqual(forged.object.spec, { ...spec, username: 'tester' })
    assert.deepEqual(forged.object.status, {})
  })

  it('hold a request that can be read', () => {
    assert.deepEqual(problemsOf({ request: 'YWJj' }), [
      'spec.request: Invalid value: "YWJj": PEM block type must be CERTIFICATE REQUEST',
    ])
  })

  it('want known usages, each once', () => {
    assert.deepEqual(problemsOf({ usages: [] }), ['spec.usages: Required value'])
    assert.deepEqual(problemsOf({ usages: ['any', 'any'] }), ['spec.usages[1]: Duplicate value: "any"'])
    assert.match(
      problemsOf({ usages: ['flying'] }).join(),
      /^spec\.usages\[0\]: Unsupported value: "flying": supported values: "any", "cert sign"/,
    )
  })

  it('name a signer of today, and want ten minutes or more', () => {
    assert.deepEqual(problemsOf({ signerName: 'kubernetes.io/legacy-unknown', expirationSeconds: 599 }), [
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    ])
  })

  it('do not change, whatever is written', () => {
    const written = kind.update(request, { spec: { signerName: 'a.b/c' }, status: { conditions: [approval] } })
    assert.deepEqual(written.errors, [])
    assert.deepEqual([written.object.spec, written.object.status], [request.object.spec, request.object.status])
  })
})

describe('the approval of a certificate signing request', () => {
  const approved = kind.update(
    request,
    { spec: { usages: ['any'] }, status: { conditions: [approval], certificate: 'YWJj' } },
    'approval',
  )

  it('adds a condition and its time, and nothing else', () => {
    assert.deepEqual(approved.errors, [])
    assert.deepEqual(approved.object.spec, request.object.spec)
    const now = '2024-01-01T00:00:00Z'
    assert.deepEqual(approved.object.status, {
      conditions: [{ ...approval, lastUpdateTime: now, lastTransitionTime: now }],
    })
  })

  it('cannot be taken back or contradicted', () => {
    assert.deepEqual(kind.update(approved, { status: { conditions: [] } }, 'approval').errors, [
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ])
    const both = [approval, { type: 'Denied', status: 'True' }]
    assert.deepEqual(kind.update(approved, { status: { conditions: both } }, 'approval').errors, [
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ])
  })

  it('is a yes, never a no', () => {
    const no = kind.update(request, { status: { conditions: [{ type: 'Approved', status: 'False' }] } }, 'approval')
    assert.deepEqual(no.errors, ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'])
  })
})

describe('the status of a certificate signing request', () => {
  const approved = kind.update(request, { status: { conditions: [approval] } }, 'approval')
  const issued = kind.update(approved, { status: { certificate: sampleCertificate } }, 'status')

  it('gets the certificate once', () => {
    assert.deepEqual(issued.errors, [])
    assert.deepEqual(kind.update(issued, { status: { certificate: null } }, 'status').errors, [
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ])
  })

  it('gets nothing that is no certificate', () => {
    const wrong = (certificate: string) => kind.update(approved, { status: { certificate } }, 'status').errors
    assert.deepEqual(wrong('YWJj'), [
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ])
    assert.deepEqual(wrong(sampleRequest), [
      'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
    ])
  })

  it('cannot approve, but can say that it failed', () => {
    assert.deepEqual(kind.update(request, { status: { conditions: [approval] } }, 'status').errors, [
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ])
    const failed = kind.update(
      approved,
      { status: { conditions: [approval, { type: 'Failed', status: 'True' }] } },
      'status',
    )
    assert.deepEqual(failed.errors, [])
    assert.deepEqual(conditionsOf(failed)[0], conditionsOf(approved)[0])
    assert.equal(kind.row(failed).Condition, 'Approved,Failed')
  })

  it('shows in the table', () => {
    const { SignerName, Requestor, RequestedDuration, Condition } = kind.row(issued)
    assert.deepEqual([SignerName, Requestor, RequestedDuration], ['example.com/staff', 'tester', '<none>'])
    assert.equal(Condition, 'Approved,Issued')
    assert.equal(kind.row(kind.create({ spec: { ...spec, expirationSeconds: 3600 } })).RequestedDuration, '60m')
    assert.equal(kind.row(request).Condition, 'Pending')
  })
})
