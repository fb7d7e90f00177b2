import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'

const kind = new KindHarness('resource/v1.ResourceSlice')
const spec = {
  driver: 'd.example.com',
  pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
  nodeName: 'node-1',
  devices: [{ name: 'dev-1' }],
}

function problemsOf(change: object): readonly string[] {
  return kind.create({ spec: { ...spec, ...change } }).errors.map((text) => text.replace('spec.', ''))
}

function deviceProblems(device: object, change: object = {}): readonly string[] {
  return problemsOf({ devices: [{ name: 'dev-1', ...device }], ...change }).map((text) =>
    text.replace('devices[0]', ''),
  )
}

describe('resource slices', () => {
  it('are part of a pool', () => {
    assert.deepEqual(problemsOf({}), [])
    assert.deepEqual(problemsOf({ driver: '', pool: { name: '', generation: -1, resourceSliceCount: 0 } }), [
      'driver: Required value',
      'pool.name: Required value',
      'pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      'pool.generation: Invalid value: -1: must be greater than or equal to zero',
    ])
  })

  it('say in one way on which nodes their devices are', () => {
    const choice = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
    const { nodeName: _node, ...nowhere } = spec
    assert.deepEqual(kind.create({ spec: nowhere }).errors, [`spec: Required value: ${choice}`])
    assert.deepEqual(problemsOf({ allNodes: true }), [
      `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${choice}, but multiple fields are set`,
    ])
    assert.deepEqual(problemsOf({ allNodes: false, perDeviceNodeSelection: false }), [
      'allNodes: Invalid value: false: must be either unset or set to true',
      'perDeviceNodeSelection: Invalid value: false: must be either unset or set to true',
    ])
  })

  it('have devices, each of its own name, or counters', () => {
    assert.deepEqual(problemsOf({ devices: [{ name: 'a' }, { name: 'a' }] }), ['devices[1]: Duplicate value: "a"'])
    const sharedCounters = [{ name: 'memory', counters: { a: { value: '1' } } }]
    assert.deepEqual(problemsOf({ sharedCounters }), [
      'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
    ])
    const many = Array.from({ length: 129 }, (_, i) => ({ name: `d-${i}` }))
    assert.deepEqual(problemsOf({ devices: many }), ['devices: Too many: 129: must have at most 128 items'])
  })

  it('stay part of their pool and node', () => {
    const old = kind.create({ spec })
    assert.deepEqual(
      kind.update(old, { spec: { nodeName: 'node-2', pool: { name: 'q' }, driver: 'e.example.com' } }).errors,
      [
        'spec.pool.name: Invalid value: "q": field is immutable',
        'spec.driver: Invalid value: "e.example.com": field is immutable',
        'spec.nodeName: Invalid value: "node-2": field is immutable',
      ],
    )
    const { Node, Driver, Pool } = kind.row(old)
    assert.deepEqual([Node, Driver, Pool], ['node-1', 'd.example.com', 'p'])
  })
})

describe('devices', () => {
  it('have attributes of one type each', () => {
    const attributes = {
      a: { int: 1 },
      b: {},
      c: { version: '1.0' },
      'x/y': { bool: false, string: 's' },
      '1': { int: 0 },
    }
    const errors = deviceProblems({ attributes })
    assert.match(errors[0]!, /^\.attributes\[1\]: Invalid value: "1": a valid C identifier/)
    assert.deepEqual(errors.slice(1), [
      '.attributes[b]: Invalid value: "": exactly one value must be specified',
      '.attributes[c].version: Invalid value: "1.0": must be a string compatible with semver.org spec 2.0.0',
      '.attributes[x/y]: Invalid value: {"IntValue":null,"BoolValue":false,"StringValue":"s","VersionValue":null}: exactly one value must be specified',
    ])
  })

  it('have 32 attributes and capacities at most', () => {
    const attributes = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`a${i}`, { int: i }]))
    assert.deepEqual(deviceProblems({ attributes }), [
      ': Invalid value: 33: the total number of attributes and capacities must not exceed 32',
    ])
  })

  it('know since when they are tainted, and with what', () => {
    const taints = [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', effect: 'Explode' },
    ]
    const slice = kind.create({ spec: { ...spec, devices: [{ name: 'dev-1', taints }] } })
    assert.deepEqual(slice.errors, [
      'spec.devices[0].taints[1].effect: Unsupported value: "Explode": supported values: "NoExecute", "NoSchedule", "None"',
    ])
    const [device] = (slice.object.spec as { devices: [{ taints: [{ timeAdded: string }] }] }).devices
    assert.equal(device.taints[0].timeAdded, '2024-01-01T00:00:00Z')
    assert.deepEqual(kind.update(slice, { metadata: { labels: { a: 'b' } } }).errors, [])
  })

  it('say on which nodes they are only where that is asked for', () => {
    assert.match(
      deviceProblems({ allNodes: true }).join(),
      /^: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if/,
    )
    const { nodeName: _node, ...each } = { ...spec, perDeviceNodeSelection: true }
    const problemsWith = (device: object) =>
      kind.create({ spec: { ...each, devices: [{ name: 'a', ...device }] } }).errors
    assert.deepEqual(problemsWith({ nodeName: 'n' }), [])
    assert.match(
      problemsWith({}).join(),
      /^spec\.devices\[0\]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required/,
    )
  })

  it('wait for conditions only if there are some at which they give up', () => {
    assert.deepEqual(deviceProblems({ bindingConditions: ['a', 'a'] }), [
      '.bindingConditions[1]: Duplicate value: "a"',
      '.bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
    ])
    assert.deepEqual(deviceProblems({ bindingConditions: ['a'], bindingFailureConditions: ['a'] }), [
      '.bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions',
    ])
  })

  it('consume counters of sets', () => {
    assert.deepEqual(deviceProblems({ consumesCounters: [{ counterSet: '', counters: {} }] }), [
      '.consumesCounters[0].counterSet: Required value',
      '.consumesCounters[0].counters: Required value',
    ])
  })
})

describe('capacities that are shared', () => {
  const capacityProblems = (requestPolicy: object) =>
    deviceProblems({
      allowMultipleAllocations: true,
      capacity: { memory: { value: '10Gi', requestPolicy } },
    }).map((text) => text.replace('.capacity[memory].requestPolicy', ''))

  it('are of devices that can be shared', () => {
    assert.deepEqual(deviceProblems({ capacity: { memory: { value: '1', requestPolicy: {} } } }), [
      '.capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true',
    ])
  })

  it('come in some values, in order, of which one is the default', () => {
    assert.deepEqual(capacityProblems({ default: '1Gi', validValues: ['1Gi', '2Gi'] }), [])
    assert.deepEqual(capacityProblems({ validValues: ['1Gi'] }), [
      '.default: Required value: required when validValues is defined',
    ])
    assert.deepEqual(capacityProblems({ default: '3Gi', validValues: ['2Gi', '1Gi', '20Gi'] }), [
      '.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order',
      '.validValues[2]: Invalid value: "20Gi": option is larger than capacity value: 10Gi',
      '.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy',
    ])
  })

  it('or in a range, by steps', () => {
    assert.deepEqual(capacityProblems({ default: '2Gi', validRange: { min: '1Gi', max: '9Gi', step: '1Gi' } }), [])
    assert.deepEqual(capacityProblems({ default: '1Gi', validRange: { min: '2Gi', max: '20Gi', step: '3Gi' } }), [
      '.validRange.min: Invalid value: "1Gi": default is less than min: 2Gi',
      '.validRange.max: Invalid value: "20Gi": max is larger than capacity value: 10Gi',
      '.validRange.step: Invalid value: "1Gi": value is not a multiple of a given step (3Gi) from (2Gi)',
    ])
    assert.deepEqual(capacityProblems({ validValues: ['1'], validRange: { min: '1' } }), [
      ': Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
    ])
  })
})
