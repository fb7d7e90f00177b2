import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someDeployment, someReplicaSet } from './deployments.test.kit.js'
import { surplusReplicaSets } from './history.js'

test('the lowest revisions beyond the limit are deleted, unless they have pods', () => {
  const set = (revision: string, size = 0) =>
    someReplicaSet({ name: revision, revision, size, created: 9 - Number(revision) })
  const names = (history: number | undefined, ...sets: ReturnType<typeof set>[]) =>
    surplusReplicaSets(someDeployment(history === undefined ? {} : { history }), sets).map(
      ({ metadata }) => metadata.name,
    )
  const old = [set('3'), set('1'), set('4'), set('2', 5)]
  assert.deepEqual(names(1, ...old), ['1', '3'])
  assert.deepEqual(names(3, ...old), ['1'])
  assert.deepEqual(names(4, ...old), [])
  assert.deepEqual(names(2 ** 31 - 1, ...old), [])
  assert.deepEqual(names(undefined, ...old), [])
})
