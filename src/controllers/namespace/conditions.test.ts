import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { areSame, conditionsOf } from './conditions.js'
import { type Emptying, graceOf, type Remaining, remainingOf } from './remaining.js'

function resource(plural: string, group = '', version = 'v1'): DiscoveredResource {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const names = { singular: '', shortNames: [], categories: [] }
  const place = { root: '', plural, namespaced: true, apiVersion, kind: '' }
  return { ...place, ...names, group, version, verbs: [], subresources: [] }
}

function left(plural: string, group: string, finalizers: readonly (readonly string[])[]): Remaining {
  const objects = finalizers.map((each) => ({ metadata: { finalizers: each } }))
  return remainingOf(resource(plural, group), { namespace: 'doomed', objects, grace: 0 })
}

const empty: Emptying = { remaining: [] }

function told(emptying: Emptying): readonly string[] {
  return conditionsOf(emptying, [], 'now')
    .filter(({ status }) => status === 'True')
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
}

describe('the conditions of a namespace that ends', () => {
  test('are all there, and false, when there is nothing to complain about', () => {
    assert.deepEqual(
      conditionsOf(empty, [], 'now').map(({ type, status, reason, lastTransitionTime }) => [
        ...[type, status, reason],
        lastTransitionTime,
      ]),
      [
        ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'now'],
        ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'now'],
        ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'now'],
        ['NamespaceContentRemaining', 'False', 'ContentRemoved', 'now'],
        ['NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers', 'now'],
      ],
    )
  })

  test('name what is left, in the order of their names', () => {
    const remaining = [
      left('widgets', 'example.com', [['z/f'], ['a/f', 'z/f']]),
      left('secrets', '', [['a/f']]),
      left('deployments', 'apps', [[]]),
    ]
    assert.deepEqual(told({ remaining }), [
      'NamespaceDeletionContentFailure ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: doomed for gvr: apps/v1, Resource=deployments',
      'NamespaceContentRemaining SomeResourcesRemain: Some resources are remaining: deployments.apps has 1 resource instances, secrets. has 1 resource instances, widgets.example.com has 2 resource instances',
      'NamespaceFinalizersRemaining SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a/f in 2 resource instances, z/f in 2 resource instances',
    ])
  })

  test('name what could not be discovered', () => {
    assert.deepEqual(told({ remaining: [], undiscovered: 'why' }), [
      'NamespaceDeletionDiscoveryFailure DiscoveryFailed: why',
    ])
  })

  test('keep their time as long as they are as true as before, whatever they say', () => {
    const before = conditionsOf({ remaining: [left('secrets', '', [['a/f']])] }, [], 'then')
    const same = conditionsOf({ remaining: [left('secrets', '', [['a/f']])] }, before, 'now')
    assert.ok(areSame(before, same))
    const fewer = conditionsOf({ remaining: [left('configmaps', '', [['a/f']])] }, before, 'now')
    assert.ok(!areSame(before, fewer))
    assert.deepEqual(new Set(fewer.map((each) => each.lastTransitionTime)), new Set(['then']))
    const none = conditionsOf(empty, fewer, 'now')
    assert.deepEqual(
      none.map((each) => each.lastTransitionTime),
      ['then', 'then', 'then', 'now', 'now'],
    )
  })
})

describe('what is left', () => {
  const pods = resource('pods')
  const object = { metadata: {} }

  test('is nothing to complain about while it has time, or is held', () => {
    const { estimate, failure } = remainingOf(pods, { namespace: 'doomed', objects: [object], grace: 30 })
    assert.deepEqual([estimate, failure], [30, undefined])
    const held = remainingOf(pods, {
      namespace: 'doomed',
      objects: [{ metadata: { finalizers: ['a/f'] } }, object],
      grace: 0,
    })
    assert.deepEqual([held.count, held.estimate, held.failure], [2, 15, undefined])
  })

  test('of pods has as much time as the slowest that has not ended, from when they were told', () => {
    const pod = (terminationGracePeriodSeconds: number, phase: string) => ({
      spec: { terminationGracePeriodSeconds },
      status: { phase },
    })
    const some = [pod(30, 'Running'), pod(10, 'Pending'), pod(600, 'Succeeded'), pod(900, 'Failed')]
    assert.equal(graceOf(some, 0, 29_999), 30)
    assert.equal(graceOf(some, 0, 30_000), 0)
    assert.equal(graceOf([], 0, 0), 0)
  })
})
