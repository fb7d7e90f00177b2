import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { someDeployment, someReplicaSet } from './deployments.test.kit.js'
import { highestRevision, newReplicaSetAnnotations, previousRevision, rolledBackAnnotations } from './revisions.js'

const revision = 'deployment.kubernetes.io/revision'
const history = 'deployment.kubernetes.io/revision-history'
const set = (number?: string, annotations = {}) =>
  someReplicaSet({ size: 1, annotations, ...(number !== undefined && { revision: number }) })

describe('the new replica set', () => {
  const deployment = someDeployment({ annotations: { owner: 'me', [revision]: '7' } })
  test('takes over what is said about the deployment, except what is about the deployment alone', () =>
    assert.deepEqual(newReplicaSetAnnotations(deployment, set(), 3), { owner: 'me', [revision]: '3' }))
  test('that was one before remembers it', () => {
    assert.equal(newReplicaSetAnnotations(deployment, set('2'), 10)[history], '2')
    assert.equal(newReplicaSetAnnotations(deployment, set('9', { [history]: '2,5' }), 10)[history], '2,5,9')
  })
  test('never goes back to a lower number', () =>
    assert.deepEqual(newReplicaSetAnnotations(deployment, set('9'), 3), { owner: 'me', [revision]: '9' }))
  test('is let be if somebody wrote nonsense on it', () =>
    assert.deepEqual(newReplicaSetAnnotations(deployment, set('nine'), 3), { [revision]: 'nine' }))
  test('forgets the oldest of a history that is too long', () => {
    const long = Array.from({ length: 500 }, (_, index) => index + 100).join(',') // 1999 characters
    const longer = newReplicaSetAnnotations(deployment, set('777', { [history]: long }), 1000)[history]!
    assert.ok(longer.length <= 2000)
    assert.ok(longer.startsWith('101,') && longer.endsWith(',599,777'))
  })
})

test('revisions are counted over what is there, nonsense left out', () => {
  const sets = [set('3'), set('10'), set('x'), set()]
  assert.deepEqual([highestRevision(sets), previousRevision(sets), previousRevision([set('1')])], [10, 3, 0])
})

test('who goes back takes up what was said then', () => {
  const deployment = someDeployment({ annotations: { cause: 'new', extra: 'yes', [revision]: '5' } })
  assert.deepEqual(rolledBackAnnotations(deployment, set('2', { cause: 'old' })), { cause: 'old', [revision]: '5' })
})
