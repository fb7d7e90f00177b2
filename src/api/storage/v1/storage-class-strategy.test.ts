import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../testing/objects/kind-harness.js'

const storageClasses = new KindHarness('storage/v1.StorageClass')
const create = (more: object) => storageClasses.create({ provisioner: 'csi.example.com', ...more })
const topology = (key: string, ...values: readonly string[]) => ({ matchLabelExpressions: [{ key, values }] })

describe('a storage class', () => {
  test('deletes at once what it makes at once, by default', () => {
    const { object } = create({})
    assert.equal(object.reclaimPolicy, 'Delete')
    assert.equal(object.volumeBindingMode, 'Immediate')
    assert.equal(create({ reclaimPolicy: 'Retain' }).object.reclaimPolicy, 'Retain')
  })

  const cases: readonly [string, object, ...string[]][] = [
    ['a driver in any case', { provisioner: 'Example.com/NFS' }],
    ['no driver', { provisioner: '' }, 'provisioner: Required value'],
    ['an empty key', { parameters: { '': 'x', a: 'b' } }, 'parameters: Invalid value: "": field can not be empty.'],
    [
      'large parameters',
      { parameters: { a: 'x'.repeat(256 * 1024) } },
      'parameters: Too long: may not be more than 262144 bytes',
    ],
    [
      'many parameters',
      { parameters: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`${i}`, ''])) },
      'parameters: Too long: may not be more than 512 bytes',
    ],
    [
      'recycling',
      { reclaimPolicy: 'Recycle' },
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    ],
    ['no policy', { reclaimPolicy: '' }],
    [
      'another time',
      { volumeBindingMode: '' },
      'volumeBindingMode: Unsupported value: "": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
    ['places', { allowedTopologies: [topology('zone', 'a', 'b'), topology('zone', 'c')] }],
    [
      'the same place',
      { allowedTopologies: [topology('zone', 'a', 'b'), topology('zone', 'b', 'a')] },
      'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
    ],
    ['no place', { allowedTopologies: [{}] }, 'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'],
    [
      'a place twice',
      { allowedTopologies: [topology('zone', 'a', 'a')] },
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
    ],
    [
      'a label twice',
      { allowedTopologies: [{ matchLabelExpressions: [{ key: 'z', values: ['a'] }, { key: 'z' }] }] },
      'allowedTopologies[0].matchLabelExpressions[1].values: Required value',
      'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "z"',
    ],
  ]
  for (const [name, more, ...errors] of cases)
    test(`${name}: ${errors.length === 0 ? 'is valid' : 'is rejected'}`, () =>
      assert.deepEqual(create(more).errors, errors))

  test('stays what it was made for', () => {
    const { object: old } = create({ parameters: { a: 'b' } })
    const change = {
      provisioner: 'x',
      parameters: null,
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
    }
    assert.deepEqual(storageClasses.update(old, replaceFields(change)).errors, [
      'parameters: Invalid value: null: field is immutable',
      'provisioner: Invalid value: "x": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ])
    const fine = { allowVolumeExpansion: true, mountOptions: ['ro'], allowedTopologies: [topology('z', 'a')] }
    assert.deepEqual(storageClasses.update(old, replaceFields(fine)).errors, [])
  })

  test('warns about labels that were renamed', () => {
    assert.deepEqual(
      create({ allowedTopologies: [topology('failure-domain.beta.kubernetes.io/zone', 'a')] }).warnings,
      [
        'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      ],
    )
  })

  test('shows whether it is the default', () => {
    const row = (annotations: object) =>
      storageClasses.cells(create({ metadata: { name: 'fast', annotations } }).object as never, 0).slice(0, 5)
    assert.deepEqual(row({}), ['fast', 'csi.example.com', 'Delete', 'Immediate', false])
    assert.equal(row({ 'storageclass.kubernetes.io/is-default-class': 'true' })[0], 'fast (default)')
    assert.equal(row({ 'storageclass.beta.kubernetes.io/is-default-class': 'true' })[0], 'fast (default)')
    assert.equal(row({ 'storageclass.kubernetes.io/is-default-class': 'yes' })[0], 'fast')
  })
})
