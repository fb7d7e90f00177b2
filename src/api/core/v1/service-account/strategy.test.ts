import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../../testing/objects/kind-harness.js'

const serviceAccounts = new KindHarness('core/v1.ServiceAccount')
const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' }

describe('a service account', () => {
  test('keeps only the names of its secrets', () => {
    const secrets = [{ name: 'a', namespace: 'elsewhere', uid: '1' }, { kind: 'Secret' }]
    const { object: old } = serviceAccounts.create({ secrets })
    assert.deepEqual(old.secrets, [{ name: 'a' }, {}])
    assert.deepEqual(serviceAccounts.update(old, replaceFields({ secrets })).object.secrets, [{ name: 'a' }, {}])
  })

  test('warns once that its secrets do not limit its pods for much longer', () => {
    const { object: old, warnings } = serviceAccounts.create({ metadata: { annotations } })
    assert.deepEqual(warnings, [
      'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
    ])
    assert.deepEqual(serviceAccounts.update(old, replaceFields({})).warnings, [])
    assert.deepEqual(serviceAccounts.create({}).warnings, [])
  })

  test('cannot be updated without a resource version', () => {
    assert.equal(serviceAccounts.strategy.updatedUnconditionally, false)
  })
})
