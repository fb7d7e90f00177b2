import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const kind = new KindHarness('storagemigration/v1beta1.StorageVersionMigration')
const migration = kind.create({ spec: { resource: { group: 'apps', resource: 'deployments' } } })
const condition = { status: 'True', reason: 'A', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' }
const conditionsOf = (...types: string[]) => types.map((type) => ({ ...condition, type }))

describe('storage version migrations', () => {
  it('are of one resource, for good', () => {
    assert.deepEqual(migration.errors, [])
    assert.deepEqual(kind.create({ spec: { resource: { group: '', resource: '' } } }).errors, [
      'spec.resource.resource: Required value: resource is required to be set',
    ])
    assert.match(
      kind.update(migration, { spec: { resource: { resource: 'pods' } } }).errors.join(),
      /field is immutable$/,
    )
  })

  it('end in one way, once', () => {
    const status = { resourceVersion: '5', conditions: conditionsOf('Succeeded') }
    const done = kind.update(migration, { status }, 'status')
    assert.deepEqual(done.errors, [])
    assert.deepEqual(
      kind
        .update(done, { status: { resourceVersion: '6', conditions: conditionsOf('Failed', 'Running') } }, 'status')
        .errors.map((text) => text.replace(/\[.*\]/, '[…]')),
      [
        'status.resourceVersion: Invalid value: "6": field is immutable',
        'status.conditions: Invalid value: […]: Running condition cannot be true when failed condition is true',
        'status.conditions: Invalid value: […]: Success condition cannot be set to false once it is true',
      ],
    )
  })
})
