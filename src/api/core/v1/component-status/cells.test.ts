import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { ComponentStatus } from '../component-status.js'

const kind = new KindHarness<ComponentStatus>('core/v1.ComponentStatus')

test('a component is healthy, unhealthy or unknown', () => {
  const cells = (...conditions: readonly object[]) => {
    const { Status, Message, Error: error } = kind.row(kind.create({ conditions }).object)
    return [Status, Message, error]
  }
  assert.deepEqual(cells(), ['Unknown', '', ''])
  assert.deepEqual(cells({ type: 'Other', status: 'True' }, { type: 'Healthy', status: 'True', message: 'ok' }), [
    'Healthy',
    'ok',
    '',
  ])
  assert.deepEqual(cells({ type: 'Healthy', status: 'False', error: 'gone' }), ['Unhealthy', '', 'gone'])
})
