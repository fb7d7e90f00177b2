import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindUnderTest } from '../../strategy.test.kit.js'
import type { Namespace } from './namespace.js'

const kind = new KindUnderTest<Namespace>('core/v1.Namespace')
const metadata = { name: 'shop', labels: { team: 'a' } }

test('a namespace is active, waits for its content, and can be selected by its name', () => {
  const made = kind.made({ metadata, status: { phase: 'Terminating' } })
  assert.deepEqual(made.metadata.labels, { 'kubernetes.io/metadata.name': 'shop', team: 'a' })
  assert.deepEqual(made.spec, { finalizers: ['kubernetes'] })
  assert.deepEqual(made.status, { phase: 'Active' })
  assert.deepEqual(kind.made({ metadata, spec: { finalizers: ['kubernetes', 'example.com/a'] } }).spec.finalizers, [
    'kubernetes',
    'example.com/a',
  ])
  assert.equal(
    kind.made({ metadata: { generateName: 'shop-', name: 'shop-x' } }).metadata.labels!['kubernetes.io/metadata.name'],
    'shop-x',
  )
})

test('finalizers have good names', () => {
  const neither = 'name is neither a standard finalizer name nor is it fully qualified'
  assert.deepEqual(kind.refused({ metadata, spec: { finalizers: ['mine', 'orphan'] } }), [
    `spec.finalizers: Invalid value: "mine": ${neither}`,
  ])
  const old = kind.made({ metadata })
  assert.deepEqual(kind.refusedChange(old, { spec: { finalizers: ['example.com/a', 'mine'] } }, 'finalize'), [
    `spec.finalizers[1]: Invalid value: "mine": ${neither}`,
  ])
})

test('only its finalizing touches its finalizers, and only its status its phase', () => {
  const old = kind.made({ metadata })
  const patch = {
    metadata: { ...metadata, labels: { 'kubernetes.io/metadata.name': 'other' } },
    spec: { finalizers: [] },
    status: { phase: 'Terminating' },
  }
  const updated = kind.changed(old, patch)
  assert.deepEqual([updated.spec, updated.status], [old.spec, old.status])
  assert.equal(updated.metadata.labels!['kubernetes.io/metadata.name'], 'shop')
  const finalized = kind.changed(old, patch, 'finalize')
  assert.deepEqual([finalized.spec, finalized.status], [{}, old.status])
})

test('the phase says whether it is being deleted', () => {
  const old = kind.made({ metadata })
  assert.deepEqual(kind.refusedChange(old, { status: { phase: 'Terminating' } }, 'status'), [
    'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  ])
  const ending = kind.changed(old, { metadata: { ...metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } })
  assert.deepEqual(kind.refusedChange(ending, { status: { phase: 'Active' } }, 'status'), [
    'status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty',
  ])
  assert.deepEqual(kind.refusedChange(ending, { status: { phase: 'Terminating' } }, 'status'), [])
})

test('a namespace shows and is selected by its phase', () => {
  const made = kind.made({ metadata })
  assert.equal(kind.row(made).Status, 'Active')
  assert.equal(kind.field('status.phase', made), 'Active')
  assert.deepEqual(kind.nameProblems('a.b'), ['must not contain dots'])
})
