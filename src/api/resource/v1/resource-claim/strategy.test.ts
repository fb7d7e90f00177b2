import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'

const resourceClaimTemplates = new KindHarness('resource/v1.ResourceClaimTemplate')
const kind = new KindHarness('resource/v1.ResourceClaim')
const gpu = { name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }

function problemsOf(devices: object): readonly string[] {
  return kind
    .create({ spec: { devices: { requests: [gpu], ...devices } } })
    .errors.map((text) => text.replace('spec.devices.', ''))
}

describe('resource claims', () => {
  it('ask for one device unless they say how many', () => {
    const { object } = kind.create({
      spec: { devices: { requests: [gpu, { name: 'all', exactly: { ...gpu.exactly, allocationMode: 'All' } }] } },
    })
    const [one, all] = (object.spec as { devices: { requests: [typeof gpu, typeof gpu] } }).devices.requests
    assert.deepEqual(one.exactly, { ...gpu.exactly, allocationMode: 'ExactCount', count: 1 })
    assert.deepEqual(all.exactly, { ...gpu.exactly, allocationMode: 'All' })
  })

  it('ask for exactly something, or for the first of several', () => {
    const choice = 'exactly one of `exactly` or `firstAvailable` is required'
    const alternatives = [{ name: 'big', deviceClassName: 'a' }]
    assert.deepEqual(problemsOf({ requests: [{ name: 'a' }] }), [`requests[0]: Required value: ${choice}`])
    assert.deepEqual(problemsOf({ requests: [{ ...gpu, firstAvailable: alternatives }] }), [
      `requests[0]: Invalid value: null: ${choice}, but multiple fields are set`,
    ])
    assert.deepEqual(problemsOf({ requests: [{ name: 'a', firstAvailable: [...alternatives, ...alternatives] }] }), [
      'requests[0].firstAvailable[1]: Duplicate value: "big"',
    ])
  })

  it('count what they ask for', () => {
    const problemsWith = (exactly: object) =>
      problemsOf({ requests: [{ name: 'a', exactly: { deviceClassName: 'c', ...exactly } }] }).map((text) =>
        text.replace('requests[0].exactly.', ''),
      )
    assert.deepEqual(problemsWith({ allocationMode: 'Some', deviceClassName: '' }), [
      'deviceClassName: Required value',
      'allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
    ])
    assert.deepEqual(problemsWith({ allocationMode: 'All', count: 2 }), [
      "count: Invalid value: 2: must not be specified when allocationMode is 'All'",
    ])
    assert.deepEqual(problemsWith({ count: -1 }), ['count: Invalid value: -1: must be greater than zero'])
    assert.deepEqual(problemsWith({ selectors: [{}], tolerations: [{ key: 'a', operator: 'Exists', value: 'x' }] }), [
      'selectors[0].cel: Required value',
      'tolerations[0].value: Invalid value: "x": must be empty for operator `Exists`',
    ])
  })

  it('speak of their requests by name', () => {
    const first = { name: 'gpu', firstAvailable: [{ name: 'big', deviceClassName: 'a' }] }
    const problemsWith = (...requests: string[]) =>
      problemsOf({ requests: [first], constraints: [{ requests, matchAttribute: 'a.b/c' }] })
    const unknown =
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
    assert.deepEqual(problemsWith('gpu', 'gpu/big'), [])
    assert.deepEqual(problemsWith('gpu/small', 'a/b/c', 'gpu/small'), [
      `constraints[0].requests[0]: Invalid value: "gpu/small": ${unknown}`,
      `constraints[0].requests[1]: Invalid value: "a/b/c": ${unknown}`,
      `constraints[0].requests[2]: Invalid value: "gpu/small": ${unknown}`,
      'constraints[0].requests[2]: Duplicate value: "gpu/small"',
    ])
  })

  it('constrain by attributes with full names', () => {
    const problemsWith = (constraint: object) => problemsOf({ constraints: [constraint] })
    assert.deepEqual(problemsWith({ matchAttribute: 'numa' }), [
      'constraints[0].matchAttribute: Invalid value: "numa": a fully qualified name must be a domain and a name separated by a slash',
    ])
    assert.deepEqual(problemsWith({ distinctAttribute: '/' }), [
      'constraints[0].distinctAttribute: Invalid value: "": the domain must not be empty',
      'constraints[0].distinctAttribute: Invalid value: "": the name must not be empty',
    ])
    assert.equal(problemsWith({}).length, 1)
  })

  it('tell drivers what they like, as an object', () => {
    const problemsWith = (opaque: object) => problemsOf({ config: [{ opaque }] })
    assert.deepEqual(problemsWith({ driver: 'a.example.com', parameters: { x: 1 } }), [])
    assert.deepEqual(problemsWith({ driver: '', parameters: 5 }), [
      'config[0].opaque.driver: Required value',
      'config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
    ])
    assert.deepEqual(problemsOf({ config: [{}] }), ['config[0].opaque: Required value'])
  })

  it('are not too long', () => {
    const requests = Array.from({ length: 33 }, (_, i) => ({ ...gpu, name: `r-${i}` }))
    assert.deepEqual(problemsOf({ requests }), ['requests: Too many: 33: must have at most 32 items'])
  })

  it('never ask for something else', () => {
    const old = kind.create({ spec: { devices: { requests: [gpu] } } })
    assert.deepEqual(kind.update(old, { metadata: { labels: { a: 'b' } } }).errors, [])
    assert.deepEqual(kind.update(old, { spec: { devices: { requests: [] } } }).errors, [
      'spec: Invalid value: {"Devices":{"Requests":[],"Constraints":null,"Config":null}}: field is immutable',
    ])
  })
})

describe('the status of a resource claim', () => {
  const claim = kind.create({ spec: { devices: { requests: [gpu] } } })
  const device = { driver: 'd.example.com', pool: 'p', device: 'dev-1' }
  const allocation = { devices: { results: [{ request: 'gpu', ...device }] } }
  const consumer = { resource: 'pods', name: 'web', uid: 'u-1' }
  const status = { allocation, reservedFor: [consumer], devices: [{ ...device, data: { a: 1 } }] }
  const allocated = kind.update(claim, { status }, 'status')

  it('says which devices the claim has, and who uses them', () => {
    assert.equal(kind.row(claim).State, 'pending')
    assert.deepEqual(allocated.errors, [])
    assert.equal(kind.row(allocated).State, 'allocated,reserved')
  })

  it('reserves nothing that is not allocated', () => {
    assert.deepEqual(kind.update(claim, { status: { reservedFor: [consumer] } }, 'status').errors, [
      'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    ])
  })

  it('names requests, drivers, pools and devices', () => {
    const results = [{ request: 'other', driver: '', pool: 'a//b', device: 'D' }]
    const errors = kind.update(claim, { status: { allocation: { devices: { results } } } }, 'status').errors
    const path = 'status.allocation.devices.results[0].'
    assert.match(errors[0]!, /request: Invalid value: "other": must be the name of a request/)
    assert.equal(errors[1], `${path}driver: Required value`)
    assert.match(errors[2]!, /pool: Invalid value: "": a lowercase RFC 1123 subdomain/)
    assert.match(errors[3]!, /device: Invalid value: "D": a lowercase RFC 1123 label/)
  })

  it('does not change an allocation', () => {
    const other = { ...allocation, devices: { results: [{ request: 'gpu', ...device, device: 'dev-2' }] } }
    assert.match(
      kind.update(allocated, { status: { allocation: other, devices: null } }, 'status').errors.join(),
      /^status\.allocation: .*field is immutable$/,
    )
  })

  it('speaks only of devices that the claim has', () => {
    const stranger = kind.update(claim, { status: { allocation, devices: [{ ...device, device: 'x' }] } }, 'status')
    assert.deepEqual(stranger.errors, [
      'status.devices[0]: Invalid value: "d.example.com/p/x": must be an allocated device in the claim',
    ])
  })

  it('forgets the devices that were given back', () => {
    const freed = kind.update(allocated, { status: { allocation: null, reservedFor: null } }, 'status')
    assert.deepEqual([freed.errors, freed.object.status], [[], {}])
  })

  it('has addresses of interfaces, and no long texts', () => {
    const networkData = { interfaceName: 'x'.repeat(257), ips: ['10.0.0.1', '10.0.0.1/24'] }
    assert.deepEqual(
      kind.update(claim, { status: { allocation, devices: [{ ...device, networkData }] } }, 'status').errors,
      [
        'status.devices[0].networkData.interfaceName: Too long: may not be more than 256 bytes',
        'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
      ],
    )
  })
})

describe('resource claim templates', () => {
  it('are checked like claims, and keep what they say', () => {
    const spec = { metadata: { labels: { a: 'b' } }, spec: { devices: { requests: [gpu] } } }
    const template = resourceClaimTemplates.create({ spec })
    assert.deepEqual(template.errors, [])
    const wrong = resourceClaimTemplates.create({
      spec: { spec: { devices: { requests: [{ name: 'a' }] } } },
    })
    assert.deepEqual(wrong.errors, [
      'spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
    ])
    assert.match(
      resourceClaimTemplates.update(template, { spec: { metadata: { labels: { a: 'c' } } } }).errors.join(),
      /^spec: Invalid value: \{"labels":\{"a":"c"\},"Spec":\{"Devices":.*: field is immutable$/,
    )
  })
})
