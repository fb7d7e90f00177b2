import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Binding } from '../binding.js'

const kind = new KindHarness<Binding>('core/v1.Binding')

test('the target of a binding is a node', () => {
  assert.deepEqual(kind.create({ target: { name: 'n1' } }).errors, [])
  assert.deepEqual(kind.create({ target: { kind: 'Pod' } }).errors, [
    'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    'target.name: Required value',
  ])
})
