import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { created, patched, shown } from '../../../testing/written-object.js'

const spec = { group: 'metrics.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100 }
const service = { namespace: 'ops', name: 'metrics' }

function written(change: object, name = 'v1.metrics.example.com') {
  return created('apiregistration/v1.APIService', { metadata: { name }, spec: { ...spec, ...change } })
}

describe('API services', () => {
  it('are named after the version and group that they serve', () => {
    assert.deepEqual(written({}).problems, [])
    assert.deepEqual(written({}, 'other').problems, [
      'metadata.name: Invalid value: "other": must be `spec.version+"."+spec.group`: "v1.metrics.example.com"',
    ])
  })

  it('have no group only in the core', () => {
    assert.deepEqual(written({ group: '' }, 'v1.').problems, [])
    assert.deepEqual(written({ group: '', version: 'v2' }, 'v2.').problems, [
      'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
    ])
  })

  it('have priorities within bounds', () => {
    assert.deepEqual(written({ groupPriorityMinimum: 20_001, versionPriority: 0 }).problems, [
      'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
      'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
    ])
  })

  it('need nothing of TLS where they are local, and one thing where they are not', () => {
    const tls = { caBundle: 'YWJj', insecureSkipTLSVerify: true }
    assert.deepEqual(written(tls).problems, [
      'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ])
    assert.deepEqual(written({ ...tls, service }).problems, [
      'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
    ])
  })

  it('are reached at port 443 of a service that is named in full', () => {
    assert.deepEqual(written({ service: { port: 70_000 } }).problems, [
      'spec.service.namespace: Required value',
      'spec.service.name: Required value',
      'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
    ])
    assert.deepEqual((written({ service }).object.spec as { service: object }).service, { ...service, port: 443 })
  })

  it('are available at once where they are local', () => {
    assert.deepEqual(shown(written({})), {
      Name: 'v1.metrics.example.com',
      Service: 'Local',
      Available: 'True',
      Age: '<unknown>',
    })
  })

  it('show why they are not available', () => {
    const remote = written({ service })
    assert.equal(shown(remote).Available, 'Unknown')
    const condition = { type: 'Available', status: 'False', reason: 'ServiceNotFound' }
    const missing = patched(remote, { status: { conditions: [condition] } }, 'status')
    assert.deepEqual(missing.problems, [])
    assert.equal(shown(missing).Available, 'False (ServiceNotFound)')
    assert.equal(shown(missing).Service, 'ops/metrics')
    assert.deepEqual(patched(remote, { status: { conditions: [{ ...condition, status: 'No' }] } }, 'status').problems, [
      'status.conditions[0].status: Unsupported value: "No": supported values: "True", "False", "Unknown"',
    ])
  })
})
