import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeGates, openGates } from './feature-gates.js'

const open = (given: Readonly<Record<string, boolean>>) => [...openGates(given)]

test('no feature is on that nobody asked for', () => {
  assert.deepEqual(open({}), [])
  assert.deepEqual(open({ Initializers: false }), [])
})

test('a feature is on by its own name or by that of its stage, and its own counts more', () => {
  assert.deepEqual(open({ Initializers: true }), ['Initializers'])
  assert.deepEqual(open({ AllAlpha: true }), ['Initializers'])
  assert.deepEqual(open({ AllAlpha: true, Initializers: false }), [])
  assert.deepEqual(open({ AllBeta: true }), [])
})

test('a feature that there is not is refused in the words that people know', () => {
  assert.throws(() => open({ Kites: false }), { message: 'unrecognized feature gate: Kites' })
  assert.throws(() => open({ constructor: true }), { message: 'unrecognized feature gate: constructor' })
  assert.equal(describeGates(), 'AllAlpha, AllBeta, Initializers (ALPHA, default false)')
})
