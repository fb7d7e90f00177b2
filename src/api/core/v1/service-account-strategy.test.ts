import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createObject, updateObject } from '../../../testing/object-trial.js'
import { builtin } from '../../scheme.js'

const type = 'core/v1.ServiceAccount'
const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' }

describe('a service account', () => {
  test('names its secrets and says no more about them', () => {
    const secrets = [{ name: 'a', namespace: 'elsewhere', uid: '1' }, { kind: 'Secret' }]
    const { object: old } = createObject(type, { secrets })
    assert.deepEqual(old.secrets, [{ name: 'a' }, {}])
    assert.deepEqual(updateObject(type, { old, change: { secrets } }).object.secrets, [{ name: 'a' }, {}])
  })

  test('warns once that its secrets do not limit its pods for much longer', () => {
    const { object: old, warnings } = createObject(type, { metadata: { annotations } })
    assert.deepEqual(warnings, [
      'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
    ])
    assert.deepEqual(updateObject(type, { old, change: {} }).warnings, [])
    assert.deepEqual(createObject(type, {}).warnings, [])
  })

  test('is not overwritten by who did not read it', () => {
    assert.equal(builtin.type(type).strategy.updatedUnconditionally, false)
  })
})
