import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someDeployment, someReplicaSet } from './deployments.test.kit.js'
import { forgotten } from './history.js'

test('beyond the limit the lowest revisions are forgotten, unless they have pods', () => {
  const set = (revision: string, size = 0) =>
    someReplicaSet({ name: revision, revision, size, created: 9 - Number(revision) })
  const names = (history: number | undefined, ...sets: ReturnType<typeof set>[]) =>
    forgotten(someDeployment(history === undefined ? {} : { history }), sets).map(({ metadata }) => metadata.name)
  const old = [set('3'), set('1'), set('4'), set('2', 5)]
  assert.deepEqual(names(1, ...old), ['1', '3'])
  assert.deepEqual(names(3, ...old), ['1'])
  assert.deepEqual(names(4, ...old), [])
  assert.deepEqual(names(2 ** 31 - 1, ...old), [])
  assert.deepEqual(names(undefined, ...old), [])
})
