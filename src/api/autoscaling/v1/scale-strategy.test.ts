import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harnessContext, KindHarness } from '../../../testing/objects/kind-harness.js'
import type { Scale } from './scale.js'

const scales = new KindHarness<Scale>('autoscaling/v1.Scale')

test('a scale asks for no fewer than no replicas', () => {
  const errors = (replicas: number) =>
    [...scales.strategy.validate!(scales.decode({ spec: { replicas } }), harnessContext)].map(String)
  assert.deepEqual(errors(0), [])
  assert.deepEqual(errors(-2), ['spec.replicas: Invalid value: -2: must be greater than or equal to 0'])
})
