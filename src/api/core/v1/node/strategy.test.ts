import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorKinds, KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Node } from '../node.js'

const kind = new KindHarness<Node>('core/v1.Node')
const metadata = { name: 'n1' }
const wrong = (spec: object, status: object = {}) => kind.create({ metadata, spec, status }).errors

describe('defaults of nodes', () => {
  test('podCIDR has precedence over podCIDRs', () => {
    const both = (spec: object) => {
      const { podCIDR, podCIDRs } = kind.create({ metadata, spec }).object.spec
      return [podCIDR, podCIDRs]
    }
    assert.deepEqual(both({ podCIDR: '10.1.0.0/24' }), ['10.1.0.0/24', ['10.1.0.0/24']])
    assert.deepEqual(both({ podCIDRs: ['10.1.0.0/24', 'fd00::/64'] }), ['10.1.0.0/24', ['10.1.0.0/24', 'fd00::/64']])
    assert.deepEqual(both({ podCIDR: '10.2.0.0/24', podCIDRs: ['10.1.0.0/24', 'fd00::/64'] }), [
      '10.2.0.0/24',
      ['10.2.0.0/24'],
    ])
  })

  test('allocatable defaults to capacity, rounded to thousandths', () => {
    const { allocatable } = kind.create({ metadata, status: { capacity: { cpu: '0.0001', memory: '1Gi' } } }).object
      .status
    assert.deepEqual(allocatable, { cpu: '1m', memory: '1Gi' })
  })

  test('a new node keeps its status, but not its configSource', () => {
    const configSource = { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c' } }
    const made = kind.create({ metadata, spec: { configSource }, status: { phase: 'Running' } }).object
    assert.equal(made.spec.configSource, undefined)
    assert.equal(made.status.phase, 'Running')
  })
})

describe('nodes that are rejected', () => {
  test('for their taints', () => {
    const taints = [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoExecute', value: '!' },
      { key: 'a', effect: 'NoSchedule', value: 'x', timeAdded: '2024-01-01T00:00:00Z' },
      { key: 'b', effect: '' },
      { key: 'b', effect: 'Never' },
    ]
    assert.equal(
      wrong({ taints })[1],
      'metadata.taints[2]: Duplicate value: {"Key":"a","Value":"x","Effect":"NoSchedule","TimeAdded":"2024-01-01T00:00:00Z"}: taints must be unique by key and effect pair',
    )
    assert.deepEqual(errorKinds(wrong({ taints })), [
      'metadata.taints[1].value: Invalid value',
      'metadata.taints[2]: Duplicate value',
      'metadata.taints[3].effect: Required value',
      'metadata.taints[4].effect: Unsupported value',
    ])
  })

  test('for their networks and amounts', () => {
    assert.deepEqual(wrong({ podCIDRs: ['10.0.0.0/24', '10.0.0.0/24'] }), [
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.0.0/24"]: may specify no more than one CIDR for each IP family',
      'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/24"',
    ])
    assert.deepEqual(wrong({ podCIDR: 'x' }), [
      'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ])
    assert.deepEqual(
      wrong({}, { capacity: { cpu: '-1', 'example.com/gpu': '1500m' }, allocatable: { pods: '500m' } }),
      [
        'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.capacity.example.com/gpu: Invalid value: "1500m": must be an integer',
        'status.allocatable.pods: Invalid value: "500m": must be an integer',
      ],
    )
  })
})

describe('updates of nodes', () => {
  const old = kind.create({
    metadata,
    spec: { podCIDR: '10.1.0.0/24', providerID: 'a' },
    status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] },
  }).object

  test('do not change the status, and status updates nothing else', () => {
    assert.deepEqual(
      kind.update(old, { spec: { unschedulable: true }, status: { addresses: [] } }).object.status,
      old.status,
    )
    assert.deepEqual(
      kind.update(old, { spec: { unschedulable: true }, status: { addresses: [] } }, 'status').object.spec,
      old.spec,
    )
  })

  test('keep immutable fields', () => {
    assert.deepEqual(
      kind.update(old, { spec: { unschedulable: true, taints: [{ key: 'a', effect: 'NoSchedule' }] } }).errors,
      [],
    )
    assert.deepEqual(kind.update(old, { spec: { podCIDR: '10.2.0.0/24', providerID: 'b', externalID: 'x' } }).errors, [
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
      'spec.externalID: Forbidden: may not be updated',
    ])
    assert.deepEqual(kind.update(old, { spec: { podCIDR: null, podCIDRs: null } }).errors.length, 1)
    assert.deepEqual(
      kind.update(kind.create({ metadata }).object, { spec: { podCIDR: '10.2.0.0/24', providerID: 'b' } }).errors,
      [],
    )
  })

  test('report errors of taints twice', () => {
    assert.equal(kind.update(old, { spec: { taints: [{ key: 'a', effect: '' }] } }).errors.length, 2)
  })

  test('of the status have distinct addresses', () => {
    const address = { type: 'InternalIP', address: '10.0.0.2' }
    assert.deepEqual(kind.update(old, { status: { addresses: [address, address] } }, 'status').errors, [
      'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.2"}',
    ])
  })

  test('validate an existing configSource', () => {
    const assigned = { configMap: { namespace: 'A', name: '', kubeletConfigKey: 'a b' } }
    const configured = { ...old, status: { ...old.status, config: { assigned } } } as Node
    assert.deepEqual(errorKinds(kind.update(configured, { status: { config: { active: {} } } }, 'status').errors), [
      'status.config.assigned.configMap.uid: Required value',
      'status.config.assigned.configMap.resourceVersion: Required value',
      'status.config.assigned.configMap.namespace: Invalid value',
      'status.config.assigned.configMap.name: Required value',
      'status.config.assigned.configMap.kubeletConfigKey: Invalid value',
      'status.config.active: Invalid value',
    ])
  })
})

test('questionable nodes get warnings', () => {
  const externalID = 'spec.externalID: this field is deprecated, and is unused by Kubernetes'
  assert.deepEqual(kind.create({ metadata, spec: { externalID: 'x' } }).warnings, [externalID])
})

test('the table shows roles and status', () => {
  const labels = { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'api', 'node-role.kubernetes.io/': '' }
  const bare = kind.row(kind.create({ metadata }).object)
  assert.deepEqual(
    ['Status', 'Roles', 'Internal-IP', 'External-IP', 'OS-Image', 'Kernel-Version', 'Container-Runtime'].map(
      (name) => bare[name],
    ),
    ['Unknown', '<none>', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  )
  const conditions = [{ type: 'Ready', status: 'Unknown' }]
  const row = kind.row(
    kind.create({ metadata: { ...metadata, labels }, spec: { unschedulable: true }, status: { conditions } }).object,
  )
  assert.deepEqual([row.Status, row.Roles], ['NotReady,SchedulingDisabled', 'api,worker'])
  assert.equal(kind.strategy.fields!['spec.unschedulable']!(kind.create({ metadata }).object), 'false')
})
