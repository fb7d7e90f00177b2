import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindTrial, replacing } from '../../../../testing/objects/kind-harness.js'

const serviceAccounts = new KindTrial('core/v1.ServiceAccount')
const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' }

describe('a service account', () => {
  test('names its secrets and says no more about them', () => {
    const secrets = [{ name: 'a', namespace: 'elsewhere', uid: '1' }, { kind: 'Secret' }]
    const { object: old } = serviceAccounts.created({ secrets })
    assert.deepEqual(old.secrets, [{ name: 'a' }, {}])
    assert.deepEqual(serviceAccounts.updated(old, replacing({ secrets })).object.secrets, [{ name: 'a' }, {}])
  })

  test('warns once that its secrets do not limit its pods for much longer', () => {
    const { object: old, warnings } = serviceAccounts.created({ metadata: { annotations } })
    assert.deepEqual(warnings, [
      'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
    ])
    assert.deepEqual(serviceAccounts.updated(old, replacing({})).warnings, [])
    assert.deepEqual(serviceAccounts.created({}).warnings, [])
  })

  test('is not overwritten by who did not read it', () => {
    assert.equal(serviceAccounts.strategy.updatedUnconditionally, false)
  })
})
