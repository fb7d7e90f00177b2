import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../schema/field-path.js'
import type { Condition } from '../meta/v1/condition.js'
import { validateCondition } from './conditions.js'

const good: Condition = {
  type: 'example.com/Ready',
  status: 'True',
  lastTransitionTime: '2024-01-01T00:00:00Z',
  reason: 'AllWell',
  message: '',
}
const problems = (change: Partial<Condition>) => validateCondition({ ...good, ...change }, fieldPath('c')).map(String)

describe('a condition', () => {
  test('has a type, a status, a time and a reason', () => {
    assert.deepEqual(problems({}), [])
    assert.deepEqual(problems({ status: 'No', observedGeneration: -1, reason: '' }), [
      'c.status: Unsupported value: "No": supported values: "False", "True", "Unknown"',
      'c.observedGeneration: Invalid value: -1: must be greater than or equal to zero',
      'c.reason: Required value: must be set',
    ])
    assert.equal(problems({ type: '' }).length, 2)
  })

  test('has a reason of one word, and a message of limited length', () => {
    assert.equal(problems({ reason: 'two words' }).length, 1)
    assert.deepEqual(problems({ reason: 'A'.repeat(1025), message: 'a'.repeat(32769) }), [
      'c.reason: Too long: may not be more than 1024 bytes',
      'c.message: Too long: may not be more than 32768 bytes',
    ])
  })
})
