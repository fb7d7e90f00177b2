import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consistencyFaults, type LoadObservations } from './consistency-check.js'
import { LoadLedger } from './ledger.js'
import type { SeenEvent } from './watcher.js'

const made: SeenEvent = { type: 'ADDED', name: 'a', value: '1', revision: 5 }
const changed: SeenEvent = { type: 'MODIFIED', name: 'a', value: '2', revision: 7 }

/** Two writes that two watchers and a list saw. */
function observations(parts: Partial<LoadObservations> = {}): LoadObservations {
  const ledger = new LoadLedger()
  ledger.acknowledged.push({ name: 'a', value: '1', revision: 5 }, { name: 'a', value: '2', revision: 7 })
  const whole = [made, changed]
  const snapshots = [{ revision: 6, values: new Map([['a', '1']]) }]
  return { ledger, watchers: [whole, whole], snapshots, last: { revision: 7, values: new Map([['a', '2']]) }, ...parts }
}

test('consistent observations have no faults', () => {
  assert.deepEqual(consistencyFaults(observations()), [])
})

test('finds a lost acknowledged write', () => {
  const faults = consistencyFaults(observations({ last: { revision: 7, values: new Map([['a', '1']]) } }))
  assert.deepEqual(faults, ['a should be 2 and is 1'])
})

test('an unacknowledged write may be stored', () => {
  const { ledger } = observations()
  ledger.unacknowledged.push({ name: 'a', value: '3' })
  const seen = [made, changed, { ...changed, value: '3', revision: 8 }]
  const last = { revision: 8, values: new Map([['a', '3']]) }
  assert.deepEqual(consistencyFaults(observations({ ledger, watchers: [seen, seen], last })), [])
})

test('finds a watcher that missed an event', () => {
  const faults = consistencyFaults(observations({ watchers: [[made, changed], [changed]] }))
  assert.match(faults.join('\n'), /watcher 1 saw 1 events, the first one 2/)
})

test('finds an event that all watchers missed', () => {
  const faults = consistencyFaults(observations({ watchers: [[changed], [changed]] }))
  assert.match(faults.join('\n'), /a was acknowledged at 5, and no watcher saw it/)
})

test('finds an event that nobody wrote', () => {
  const seen = [made, changed, { ...changed, value: '9', revision: 9 }]
  assert.match(consistencyFaults(observations({ watchers: [seen] })).join('\n'), /which nobody wrote/)
})

test('finds a list that does not match its revision', () => {
  const faults = consistencyFaults(observations({ snapshots: [{ revision: 6, values: new Map([['a', '2']]) }] }))
  assert.deepEqual(faults, ['a list at 6 has 1 objects, and the events before it make 1'])
})
