import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../testing/objects/kind-harness.js'

const capacities = new KindHarness('storage/v1.CSIStorageCapacity')
const good = { storageClassName: 'fast', nodeTopology: { matchLabels: { zone: 'a' } }, capacity: '1Gi' }
const create = (more: object) => capacities.create({ ...good, ...more })

describe('the capacity of a storage class', () => {
  test('is of a class, in a place, and not less than nothing', () => {
    assert.deepEqual(create({}).errors, [])
    const errors = create({
      storageClassName: 'A',
      nodeTopology: { matchExpressions: [{ key: 'z', operator: 'Near' }] },
      capacity: '-1',
    }).errors
    assert.deepEqual(
      [errors[0], errors[2]],
      [
        'nodeTopology.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
        'capacity: Invalid value: "-1": must be greater than or equal to 0',
      ],
    )
    assert.match(errors[1]!, /^storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must/)
  })

  test('changes its amount, not of what', () => {
    const { object: old } = create({})
    assert.deepEqual(capacities.update(old, replaceFields({ capacity: '2Gi', maximumVolumeSize: '1Gi' })).errors, [])
    assert.deepEqual(capacities.update(old, replaceFields({ storageClassName: 'slow', nodeTopology: null })).errors, [
      'nodeTopology: Invalid value: null: field is immutable',
      'storageClassName: Invalid value: "slow": field is immutable',
    ])
  })

  test('warns about labels that were renamed', () => {
    const nodeTopology = {
      matchLabels: { 'beta.kubernetes.io/os': 'linux' },
      matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }],
    }
    assert.deepEqual(create({ nodeTopology }).warnings, [
      'nodeTopology.matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
      'nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead',
    ])
  })

  test('shows the age', () => {
    const creationTimestamp = '2024-01-01T00:00:00Z'
    const { object } = create({ metadata: { name: 'c', creationTimestamp } })
    assert.deepEqual(capacities.cells(object as never, 0), ['c', creationTimestamp])
  })
})
