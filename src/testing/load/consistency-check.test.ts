import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consistencyFaults, type LoadObservations } from './consistency-check.js'
import { LoadLedger } from './ledger.js'
import type { SeenEvent } from './watcher.js'

const made: SeenEvent = { type: 'ADDED', name: 'a', value: '1', revision: 5 }
const changed: SeenEvent = { type: 'MODIFIED', name: 'a', value: '2', revision: 7 }

/** Two writes that two watchers and a list saw. */
function evidence(parts: Partial<LoadObservations> = {}): LoadObservations {
  const ledger = new LoadLedger()
  ledger.acknowledged.push({ name: 'a', value: '1', revision: 5 }, { name: 'a', value: '2', revision: 7 })
  const whole = [made, changed]
  const snapshots = [{ revision: 6, values: new Map([['a', '1']]) }]
  return { ledger, watchers: [whole, whole], snapshots, last: { revision: 7, values: new Map([['a', '2']]) }, ...parts }
}

test('what fits together is not complained of', () => {
  assert.deepEqual(consistencyFaults(evidence()), [])
})

test('an acknowledged write that is gone is a fault', () => {
  const faults = consistencyFaults(evidence({ last: { revision: 7, values: new Map([['a', '1']]) } }))
  assert.deepEqual(faults, ['a should be 2 and is 1'])
})

test('a write that was cut off may be there', () => {
  const { ledger } = evidence()
  ledger.unacknowledged.push({ name: 'a', value: '3' })
  const seen = [made, changed, { ...changed, value: '3', revision: 8 }]
  const last = { revision: 8, values: new Map([['a', '3']]) }
  assert.deepEqual(consistencyFaults(evidence({ ledger, watchers: [seen, seen], last })), [])
})

test('a watcher that missed an event is found out', () => {
  const faults = consistencyFaults(evidence({ watchers: [[made, changed], [changed]] }))
  assert.match(faults.join('\n'), /watcher 1 saw 1 events, the first one 2/)
})

test('an event that all watchers missed is found out by who wrote it', () => {
  const faults = consistencyFaults(evidence({ watchers: [[changed], [changed]] }))
  assert.match(faults.join('\n'), /a was acknowledged at 5, and no watcher saw it/)
})

test('an event that nobody wrote is found out', () => {
  const seen = [made, changed, { ...changed, value: '9', revision: 9 }]
  assert.match(consistencyFaults(evidence({ watchers: [seen] })).join('\n'), /which nobody wrote/)
})

test('a list that is no state of its revision is found out', () => {
  const faults = consistencyFaults(evidence({ snapshots: [{ revision: 6, values: new Map([['a', '2']]) }] }))
  assert.deepEqual(faults, ['a list at 6 has 1 objects, and the events before it make 1'])
})
