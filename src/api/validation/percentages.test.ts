import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldPath } from '../../schema/field-path.js'
import { isNothing, validateAtMostWhole, validateIntOrPercent } from './percentages.js'

const path = fieldPath('x')

test('a value is a number or percentage that is not negative', () => {
  for (const good of [0, 7, '0%', '250%']) assert.deepEqual(validateIntOrPercent(good, path), [])
  assert.deepEqual(validateIntOrPercent(-1, path).map(String), [
    'x: Invalid value: -1: must be greater than or equal to 0',
  ])
  for (const bad of ['', '5', '-5%', '5.5%', 'all']) assert.equal(validateIntOrPercent(bad, path).length, 1, bad)
})

test('only percentages are limited to 100 %', () => {
  for (const good of [101, '100%', 'all']) assert.deepEqual(validateAtMostWhole(good, path), [])
  assert.equal(validateAtMostWhole('101%', path).length, 1)
})

test('zero has several forms', () => {
  for (const none of [0, '0%', '0', 'all']) assert.ok(isNothing(none))
  for (const some of [1, -1, '1%', '7']) assert.ok(!isNothing(some))
})
