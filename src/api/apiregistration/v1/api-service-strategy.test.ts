import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const aPIServices = new KindHarness('apiregistration/v1.APIService')
const spec = { group: 'metrics.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100 }
const service = { namespace: 'ops', name: 'metrics' }

function written(change: object, name = 'v1.metrics.example.com') {
  return aPIServices.create({ metadata: { name }, spec: { ...spec, ...change } })
}

describe('API services', () => {
  it('are named after the version and group that they serve', () => {
    assert.deepEqual(written({}).errors, [])
    assert.deepEqual(written({}, 'other').errors, [
      'metadata.name: Invalid value: "other": must be `spec.version+"."+spec.group`: "v1.metrics.example.com"',
    ])
  })

  it('have no group only in the core', () => {
    assert.deepEqual(written({ group: '' }, 'v1.').errors, [])
    assert.deepEqual(written({ group: '', version: 'v2' }, 'v2.').errors, [
      'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
    ])
  })

  it('have priorities within bounds', () => {
    assert.deepEqual(written({ groupPriorityMinimum: 20_001, versionPriority: 0 }).errors, [
      'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
      'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
    ])
  })

  it('need nothing of TLS where they are local, and one thing where they are not', () => {
    const tls = { caBundle: 'YWJj', insecureSkipTLSVerify: true }
    assert.deepEqual(written(tls).errors, [
      'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ])
    assert.deepEqual(written({ ...tls, service }).errors, [
      'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
    ])
  })

  it('are reached at port 443 of a service that is named in full', () => {
    assert.deepEqual(written({ service: { port: 70_000 } }).errors, [
      'spec.service.namespace: Required value',
      'spec.service.name: Required value',
      'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
    ])
    assert.deepEqual((written({ service }).object.spec as { service: object }).service, { ...service, port: 443 })
  })

  it('are available at once where they are local', () => {
    assert.deepEqual(aPIServices.row(written({})), {
      Name: 'v1.metrics.example.com',
      Service: 'Local',
      Available: 'True',
      Age: '60s',
    })
  })

  it('show why they are not available', () => {
    const remote = written({ service })
    assert.equal(aPIServices.row(remote).Available, 'Unknown')
    const condition = { type: 'Available', status: 'False', reason: 'ServiceNotFound' }
    const missing = aPIServices.update(remote, { status: { conditions: [condition] } }, 'status')
    assert.deepEqual(missing.errors, [])
    assert.equal(aPIServices.row(missing).Available, 'False (ServiceNotFound)')
    assert.equal(aPIServices.row(missing).Service, 'ops/metrics')
    assert.deepEqual(
      aPIServices.update(remote, { status: { conditions: [{ ...condition, status: 'No' }] } }, 'status').errors,
      ['status.conditions[0].status: Unsupported value: "No": supported values: "True", "False", "Unknown"'],
    )
  })
})
