import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleCertificate, sampleRequest } from '../../../testing/certificate-samples.js'
import { created, patched, shown, type WrittenObject } from '../../../testing/written-object.js'

const kind = 'certificates/v1.CertificateSigningRequest'
const spec = { request: sampleRequest, signerName: 'example.com/staff', usages: ['client auth'] }
const approval = { type: 'Approved', status: 'True', reason: 'Checked' }
const request = created(kind, { spec })

function problemsOf(change: object): readonly string[] {
  return created(kind, { spec: { ...spec, ...change } }).problems
}

function conditionsOf({ object }: WrittenObject): readonly { readonly lastTransitionTime: string }[] {
  return (object.status as { conditions: [] }).conditions
}

describe('certificate signing requests', () => {
  it('come from whoever sends them, and are not decided yet', () => {
    const forged = created(kind, {
      spec: { ...spec, username: 'root', uid: '0', groups: ['x'], extra: { a: ['b'] } },
      status: { conditions: [approval], certificate: sampleCertificate },
    })
    assert.deepEqual(forged.problems, [])
    assert.deepEqual(forged.object.spec, { ...spec, username: 'admin' })
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
    const written = patched(request, { spec: { signerName: 'a.b/c' }, status: { conditions: [approval] } })
    assert.deepEqual(written.problems, [])
    assert.deepEqual([written.object.spec, written.object.status], [request.object.spec, request.object.status])
  })
})

describe('the approval of a certificate signing request', () => {
  const approved = patched(
    request,
    { spec: { usages: ['any'] }, status: { conditions: [approval], certificate: 'YWJj' } },
    'approval',
  )

  it('adds a condition and its time, and nothing else', () => {
    assert.deepEqual(approved.problems, [])
    assert.deepEqual(approved.object.spec, request.object.spec)
    const now = '2024-01-01T00:00:00Z'
    assert.deepEqual(approved.object.status, {
      conditions: [{ ...approval, lastUpdateTime: now, lastTransitionTime: now }],
    })
  })

  it('cannot be taken back or contradicted', () => {
    assert.deepEqual(patched(approved, { status: { conditions: [] } }, 'approval').problems, [
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ])
    const both = [approval, { type: 'Denied', status: 'True' }]
    assert.deepEqual(patched(approved, { status: { conditions: both } }, 'approval').problems, [
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ])
  })

  it('is a yes, never a no', () => {
    const no = patched(request, { status: { conditions: [{ type: 'Approved', status: 'False' }] } }, 'approval')
    assert.deepEqual(no.problems, ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'])
  })
})

describe('the status of a certificate signing request', () => {
  const approved = patched(request, { status: { conditions: [approval] } }, 'approval')
  const issued = patched(approved, { status: { certificate: sampleCertificate } }, 'status')

  it('gets the certificate once', () => {
    assert.deepEqual(issued.problems, [])
    assert.deepEqual(patched(issued, { status: { certificate: null } }, 'status').problems, [
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ])
  })

  it('gets nothing that is no certificate', () => {
    const wrong = (certificate: string) => patched(approved, { status: { certificate } }, 'status').problems
    assert.deepEqual(wrong('YWJj'), [
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ])
    assert.deepEqual(wrong(sampleRequest), [
      'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
    ])
  })

  it('cannot approve, but can say that it failed', () => {
    assert.deepEqual(patched(request, { status: { conditions: [approval] } }, 'status').problems, [
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ])
    const failed = patched(
      approved,
      { status: { conditions: [approval, { type: 'Failed', status: 'True' }] } },
      'status',
    )
    assert.deepEqual(failed.problems, [])
    assert.deepEqual(conditionsOf(failed)[0], conditionsOf(approved)[0])
    assert.equal(shown(failed).Condition, 'Approved,Failed')
  })

  it('shows in the table', () => {
    const { SignerName, Requestor, RequestedDuration, Condition } = shown(issued)
    assert.deepEqual([SignerName, Requestor, RequestedDuration], ['example.com/staff', 'admin', '<none>'])
    assert.equal(Condition, 'Approved,Issued')
    assert.equal(shown(created(kind, { spec: { ...spec, expirationSeconds: 3600 } })).RequestedDuration, '60m')
    assert.equal(shown(request).Condition, 'Pending')
  })
})
