import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const controllerRevisions = new KindHarness('apps/v1.ControllerRevision')
const revision = (change: JsonObject = {}) =>
  controllerRevisions.create({ revision: 3, data: { spec: { a: 1 } }, ...change })

describe('a controller revision', () => {
  test('requires data and a revision', () => {
    assert.deepEqual(revision().errors, [])
    assert.deepEqual(revision({ data: null, revision: -1 }).errors, [
      'data: Required value: data is mandatory',
      'revision: Invalid value: -1: must be greater than or equal to 0',
    ])
  })

  test('may change its revision, but not its data', () => {
    assert.deepEqual(controllerRevisions.update(revision(), { revision: 4 }).errors, [])
    assert.deepEqual(controllerRevisions.update(revision(), { data: { spec: { a: 2 } } }).errors, [
      'data: Invalid value: {"spec":{"a":2}}: field is immutable',
    ])
  })

  test('shows its owner', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: '1', controller: true }
    const row = controllerRevisions.row(
      revision({ metadata: { ownerReferences: [{ ...owner, controller: false, name: 'no' }, owner] } }),
    )
    assert.deepEqual([row.Controller, row.Revision], ['statefulset.apps/db', 3])
    assert.equal(controllerRevisions.row(revision()).Controller, '<none>')
  })
})
