import assert from 'node:assert/strict'
import { test } from 'node:test'
import { somePod } from '../pods/pods.test.kit.js'
import { decideReplicas } from './replica-change.js'

const decide = (wanted: number, there: number) => {
  const active = Array.from({ length: there }, () => somePod())
  return decideReplicas({ wanted, active, related: () => active, now: 0 })
}

test('what is missing is made, what is too much is deleted, 500 at a time', () => {
  assert.deepEqual(decide(3, 3), { is: 'enough' })
  assert.deepEqual(decide(3, 1), { is: 'create', count: 2 })
  assert.deepEqual(decide(2000, 10), { is: 'create', count: 500 })
  const deletion = (wanted: number, there: number) => {
    const change = decide(wanted, there)
    return change.is === 'delete' && change.pods.length
  }
  assert.equal(deletion(1, 3), 2)
  assert.equal(deletion(0, 3), 3)
  assert.equal(deletion(0, 900), 500)
})
