import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { areSameConditions, deletionConditions } from './conditions.js'
import { type DeletionProgress, type RemainingContent, remainingContent, remainingGrace } from './remaining-content.js'

function resource(plural: string, group = '', version = 'v1'): DiscoveredResource {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const names = { singular: '', shortNames: [], categories: [] }
  const place = { root: '', plural, namespaced: true, apiVersion, kind: '' }
  return { ...place, ...names, group, version, verbs: [], subresources: [] }
}

function left(plural: string, group: string, finalizers: readonly (readonly string[])[]): RemainingContent {
  const objects = finalizers.map((each) => ({ metadata: { finalizers: each } }))
  return remainingContent(resource(plural, group), { namespace: 'doomed', objects, grace: 0 })
}

const empty: DeletionProgress = { remaining: [] }

function reported(progress: DeletionProgress): readonly string[] {
  return deletionConditions(progress, [], 'now')
    .filter(({ status }) => status === 'True')
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
}

describe('the conditions of a namespace that is being deleted', () => {
  test('are all false when nothing is left', () => {
    assert.deepEqual(
      deletionConditions(empty, [], 'now').map(({ type, status, reason, lastTransitionTime }) => [
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

  test('list what is left, sorted by name', () => {
    const remaining = [
      left('widgets', 'example.com', [['z/f'], ['a/f', 'z/f']]),
      left('secrets', '', [['a/f']]),
      left('deployments', 'apps', [[]]),
    ]
    assert.deepEqual(reported({ remaining }), [
      'NamespaceDeletionContentFailure ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: doomed for gvr: apps/v1, Resource=deployments',
      'NamespaceContentRemaining SomeResourcesRemain: Some resources are remaining: deployments.apps has 1 resource instances, secrets. has 1 resource instances, widgets.example.com has 2 resource instances',
      'NamespaceFinalizersRemaining SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a/f in 2 resource instances, z/f in 2 resource instances',
    ])
  })

  test('report a failed discovery', () => {
    assert.deepEqual(reported({ remaining: [], undiscovered: 'why' }), [
      'NamespaceDeletionDiscoveryFailure DiscoveryFailed: why',
    ])
  })

  test('keep their transition time while their status stays the same', () => {
    const before = deletionConditions({ remaining: [left('secrets', '', [['a/f']])] }, [], 'then')
    const same = deletionConditions({ remaining: [left('secrets', '', [['a/f']])] }, before, 'now')
    assert.ok(areSameConditions(before, same))
    const fewer = deletionConditions({ remaining: [left('configmaps', '', [['a/f']])] }, before, 'now')
    assert.ok(!areSameConditions(before, fewer))
    assert.deepEqual(new Set(fewer.map((each) => each.lastTransitionTime)), new Set(['then']))
    const none = deletionConditions(empty, fewer, 'now')
    assert.deepEqual(
      none.map((each) => each.lastTransitionTime),
      ['then', 'then', 'then', 'now', 'now'],
    )
  })
})

describe('remaining content', () => {
  const pods = resource('pods')
  const object = { metadata: {} }

  test('is no failure within the grace period, or while it has finalizers', () => {
    const { estimate, failure } = remainingContent(pods, { namespace: 'doomed', objects: [object], grace: 30 })
    assert.deepEqual([estimate, failure], [30, undefined])
    const held = remainingContent(pods, {
      namespace: 'doomed',
      objects: [{ metadata: { finalizers: ['a/f'] } }, object],
      grace: 0,
    })
    assert.deepEqual([held.count, held.estimate, held.failure], [2, 15, undefined])
  })

  test('has the longest grace period of all pods that have not ended', () => {
    const pod = (terminationGracePeriodSeconds: number, phase: string) => ({
      spec: { terminationGracePeriodSeconds },
      status: { phase },
    })
    const some = [pod(30, 'Running'), pod(10, 'Pending'), pod(600, 'Succeeded'), pod(900, 'Failed')]
    assert.equal(remainingGrace(some, 0, 29_999), 30)
    assert.equal(remainingGrace(some, 0, 30_000), 0)
    assert.equal(remainingGrace([], 0, 0), 0)
  })
})
