import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Container } from '../container.js'
import { validateInitRestarts, validateRestarts } from './restart-validation.js'

type Restarted = Pick<Container, 'restartPolicy' | 'restartPolicyRules'>
const ordinary = (container: Restarted) => validateRestarts(container, fieldPath('c')).map(String)
const init = (container: Restarted) => validateInitRestarts(container, fieldPath('c')).map(String)

const exitCodes = { operator: 'In', values: [42] }
const restart = { action: 'Restart', exitCodes }
const missing = 'c.restartPolicy: Required value: must specify restartPolicy when restart rules are used'

describe('how a container is restarted', () => {
  test('is decided by the pod or by the container', () => {
    for (const check of [ordinary, init]) {
      assert.deepEqual(check({}), [])
      for (const restartPolicy of ['Always', 'Never', 'OnFailure'])
        assert.deepEqual(check({ restartPolicy, restartPolicyRules: [restart] }), [])
      assert.deepEqual(check({ restartPolicy: 'Sometimes' }), [
        'c.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
      ])
      assert.deepEqual(check({ restartPolicy: '' }).length, 1)
    }
  })

  test('has rules only with a policy', () => {
    const badRule = { action: 'Explode', exitCodes }
    assert.deepEqual(ordinary({ restartPolicyRules: [badRule] }), [
      missing,
      'c.restartPolicyRules[0].action: Unsupported value: "Explode": supported values: "Restart", "RestartAllContainers"',
    ])
    assert.deepEqual(init({ restartPolicyRules: [badRule] }), [missing])
  })

  test('depends on exit codes', () => {
    const rules = [
      { action: 'RestartAllContainers', exitCodes: { operator: 'NotIn' } },
      { action: 'Restart' },
      { action: '', exitCodes: { operator: 'Near' } },
      { action: 'Restart', exitCodes: { operator: 'In', values: Array.from({ length: 256 }, (_, i) => i) } },
    ]
    assert.deepEqual(ordinary({ restartPolicy: 'Never', restartPolicyRules: rules }), [
      'c.restartPolicyRules[1].exitCodes: Required value: must be specified',
      'c.restartPolicyRules[2].action: Unsupported value: "": supported values: "Restart", "RestartAllContainers"',
      'c.restartPolicyRules[2].exitCodes.operator: Unsupported value: "Near": supported values: "In", "NotIn"',
      'c.restartPolicyRules[3].exitCodes.values: Too many: 256: must have at most 255 items',
    ])
  })

  test('has at most twenty rules', () =>
    assert.deepEqual(ordinary({ restartPolicy: 'Never', restartPolicyRules: Array(21).fill(restart) }), [
      'c.restartPolicyRules: Too many: 21: must have at most 20 items',
    ]))
})
