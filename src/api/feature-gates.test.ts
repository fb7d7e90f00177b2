import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeGates, openGates } from './feature-gates.js'

const open = (given: Readonly<Record<string, boolean>>) => [...openGates(given)]

test('alpha features are off by default', () => {
  assert.deepEqual(open({}), [])
  assert.deepEqual(open({ Initializers: false }), [])
})

test('a feature is enabled by its own name or by its stage, and its own name has precedence', () => {
  assert.deepEqual(open({ Initializers: true }), ['Initializers'])
  assert.deepEqual(open({ AllAlpha: true }), ['Initializers'])
  assert.deepEqual(open({ AllAlpha: true, Initializers: false }), [])
  assert.deepEqual(open({ AllBeta: true }), [])
})

test('an unknown feature is rejected with upstream’s message', () => {
  assert.throws(() => open({ Kites: false }), { message: 'unrecognized feature gate: Kites' })
  assert.throws(() => open({ constructor: true }), { message: 'unrecognized feature gate: constructor' })
  assert.equal(describeGates(), 'AllAlpha, AllBeta, Initializers (ALPHA, default false)')
})
