import assert from 'node:assert/strict'
import { test } from 'node:test'
import { created } from '../../../testing/written-object.js'

test('a scale asks for no fewer than no replicas', () => {
  const problems = (replicas: number) => created('autoscaling/v1.Scale', { spec: { replicas } }).problems
  assert.deepEqual(problems(0), [])
  assert.deepEqual(problems(-2), ['spec.replicas: Invalid value: -2: must be greater than or equal to 0'])
})
