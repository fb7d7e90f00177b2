import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindUnderTest } from '../../strategy.test.kit.js'
import type { Binding } from './binding.js'

const kind = new KindUnderTest<Binding>('core/v1.Binding')

test('pods are bound to nodes', () => {
  assert.deepEqual(kind.refused({ target: { name: 'n1' } }), [])
  assert.deepEqual(kind.refused({ target: { kind: 'Pod' } }), [
    'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    'target.name: Required value',
  ])
})
