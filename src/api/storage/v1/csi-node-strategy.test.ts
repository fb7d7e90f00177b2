import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../testing/objects/kind-harness.js'

const nodes = new KindHarness('storage/v1.CSINode')
const driver = { name: 'csi.example.com', nodeID: 'n1', topologyKeys: ['zone'] }
const create = (...drivers: readonly object[]) => nodes.create({ spec: { drivers } })

describe('a CSI node', () => {
  test('has each driver once, with a name of its own for the node', () => {
    assert.deepEqual(create(driver, { name: 'Other', nodeID: 'x' }).errors, [])
    assert.deepEqual(create(driver, { ...driver, nodeID: '' }).errors, [
      'spec.drivers[1].nodeID: Required value',
      'spec.drivers[1].name: Duplicate value: "csi.example.com"',
    ])
    assert.deepEqual(create({ ...driver, nodeID: 'x'.repeat(193), allocatable: { count: -1 } }).errors, [
      `spec.drivers[0].nodeID: Invalid value: "${'x'.repeat(193)}": must be 192 characters or less`,
      'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
    ])
  })

  test('is placed by labels, each once', () => {
    const errors = create({ ...driver, topologyKeys: ['a', 'a', ''] }).errors
    assert.deepEqual(errors.slice(0, 2), ['spec.drivers[0]: Duplicate value: "a"', 'spec.drivers[0]: Required value'])
    assert.match(errors[2]!, /^spec.drivers\[0\]: Invalid value: "": name part must be non-empty/)
  })

  test('keeps its drivers as they registered, but for how many volumes they take', () => {
    const { object: old } = create(driver)
    const change = (...drivers: readonly object[]) => nodes.update(old, replaceFields({ spec: { drivers } })).errors
    assert.deepEqual(change({ ...driver, allocatable: { count: 3 } }, { name: 'new', nodeID: 'y' }), [])
    assert.deepEqual(change(), [])
    assert.deepEqual(change({ ...driver, nodeID: 'n2' }), [
      'spec.drivers: Invalid value: {"Name":"csi.example.com","NodeID":"n2","TopologyKeys":["zone"],"Allocatable":null}: field is immutable',
    ])
  })

  test('keeps an identifier that would be too long for a new driver', () => {
    const long = { ...driver, nodeID: 'x'.repeat(200) }
    const { object: old } = create(long)
    assert.deepEqual(nodes.update(old, replaceFields({ metadata: {} })).errors, [])
  })

  test('shows how many drivers it has', () => {
    assert.equal(nodes.cells(create(driver).object as never, 0)[1], 1)
    assert.equal(nodes.cells(nodes.create({}).object as never, 0)[1], 0)
  })
})
