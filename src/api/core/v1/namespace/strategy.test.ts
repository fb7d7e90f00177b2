import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Namespace } from '../namespace.js'

const kind = new KindHarness<Namespace>('core/v1.Namespace')
const metadata = { name: 'shop', labels: { team: 'a' } }

test('a namespace is active, waits for its content, and can be selected by its name', () => {
  const made = kind.create({ metadata, status: { phase: 'Terminating' } }).object
  assert.deepEqual(made.metadata.labels, { 'kubernetes.io/metadata.name': 'shop', team: 'a' })
  assert.deepEqual(made.spec, { finalizers: ['kubernetes'] })
  assert.deepEqual(made.status, { phase: 'Active' })
  assert.deepEqual(
    kind.create({ metadata, spec: { finalizers: ['kubernetes', 'example.com/a'] } }).object.spec.finalizers,
    ['kubernetes', 'example.com/a'],
  )
  assert.equal(
    kind.create({ metadata: { generateName: 'shop-', name: 'shop-x' } }).object.metadata.labels![
      'kubernetes.io/metadata.name'
    ],
    'shop-x',
  )
})

test('finalizers have valid names', () => {
  const neither = 'name is neither a standard finalizer name nor is it fully qualified'
  assert.deepEqual(kind.create({ metadata, spec: { finalizers: ['mine', 'orphan'] } }).errors, [
    `spec.finalizers: Invalid value: "mine": ${neither}`,
  ])
  const old = kind.create({ metadata }).object
  assert.deepEqual(kind.update(old, { spec: { finalizers: ['example.com/a', 'mine'] } }, 'finalize').errors, [
    `spec.finalizers[1]: Invalid value: "mine": ${neither}`,
  ])
})

test('only finalize changes its finalizers, and only status its phase', () => {
  const old = kind.create({ metadata }).object
  const patch = {
    metadata: { ...metadata, labels: { 'kubernetes.io/metadata.name': 'other' } },
    spec: { finalizers: [] },
    status: { phase: 'Terminating' },
  }
  const updated = kind.update(old, patch).object
  assert.deepEqual([updated.spec, updated.status], [old.spec, old.status])
  assert.equal(updated.metadata.labels!['kubernetes.io/metadata.name'], 'shop')
  const finalized = kind.update(old, patch, 'finalize').object
  assert.deepEqual([finalized.spec, finalized.status], [{}, old.status])
})

test('the phase agrees with the deletion timestamp', () => {
  const old = kind.create({ metadata }).object
  assert.deepEqual(kind.update(old, { status: { phase: 'Terminating' } }, 'status').errors, [
    'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  ])
  const ending = kind.update(old, { metadata: { ...metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } }).object
  assert.deepEqual(kind.update(ending, { status: { phase: 'Active' } }, 'status').errors, [
    'status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty',
  ])
  assert.deepEqual(kind.update(ending, { status: { phase: 'Terminating' } }, 'status').errors, [])
})

test('the phase is a table cell and a selectable field', () => {
  const made = kind.create({ metadata }).object
  assert.equal(kind.row(made).Status, 'Active')
  assert.equal(kind.strategy.fields!['status.phase']!(made), 'Active')
  assert.deepEqual(kind.strategy.name!('a.b', false), ['must not contain dots'])
})
