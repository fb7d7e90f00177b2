import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NodeSelectorTerm } from '../../api/core/v1/affinity/node-selector.js'
import { isRejection } from '../framework/plugin.js'
import { nodeAffinity } from './node-affinity.js'
import { cluster, filterResults, isHelpful, node, pod, scores, testPlugin } from './plugins.test.kit.js'

const east = node('east', { labels: { zone: 'east', size: '3' } })
const west = node('west', { labels: { zone: 'west', size: '9' } })
const bare = node('bare')
const snapshot = cluster(east, west, bare)
const no = "node(s) didn't match Pod's node affinity/selector (unresolvable)"

function requiring(...nodeSelectorTerms: readonly NodeSelectorTerm[]) {
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } }
  return pod('p', { spec: { affinity: { nodeAffinity } } })
}

const named = (...values: readonly string[]): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values }],
})

describe('NodeAffinity accepts nodes', () => {
  test('with all labels of the node selector', () => {
    const one = pod('p', { spec: { nodeSelector: { zone: 'east', size: '3' } } })
    const other = pod('p', { spec: { nodeSelector: { zone: 'east', size: '9' } } })
    assert.deepEqual(filterResults(testPlugin(nodeAffinity), one, snapshot), { east: 'ok', west: no, bare: no })
    assert.deepEqual(filterResults(testPlugin(nodeAffinity), other, snapshot), { east: no, west: no, bare: no })
  })

  const cases: readonly (readonly [string, readonly NodeSelectorTerm[], readonly string[]])[] = [
    ['In', [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['west', 'south'] }] }], ['west']],
    ['NotIn', [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['west'] }] }], ['east', 'bare']],
    ['Exists', [{ matchExpressions: [{ key: 'zone', operator: 'Exists' }] }], ['east', 'west']],
    ['DoesNotExist', [{ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }], ['bare']],
    ['Gt', [{ matchExpressions: [{ key: 'size', operator: 'Gt', values: ['5'] }] }], ['west']],
    ['Lt', [{ matchExpressions: [{ key: 'size', operator: 'Lt', values: ['5'] }] }], ['east']],
    [
      'one of two terms matches',
      [named('bare'), { matchExpressions: [{ key: 'size', operator: 'Lt', values: ['5'] }] }],
      ['east', 'bare'],
    ],
    [
      'all expressions of a term must match',
      [
        {
          matchExpressions: [
            { key: 'zone', operator: 'Exists' },
            { key: 'size', operator: 'Gt', values: ['5'] },
          ],
        },
      ],
      ['west'],
    ],
    ['by name', [named('bare')], ['bare']],
    ['an empty term matches nothing', [{}], []],
  ]
  for (const [title, terms, expected] of cases)
    test(`with a required term: ${title}`, () => {
      const found = filterResults(testPlugin(nodeAffinity), requiring(...terms), snapshot)
      assert.deepEqual(
        Object.keys(found).filter((each) => found[each] === 'ok'),
        expected,
      )
    })

  test('that the added affinity of the profile allows', () => {
    const addedAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [named('east', 'west')] },
    }
    const picky = pod('p', { spec: { nodeSelector: { zone: 'west' } } })
    assert.deepEqual(filterResults(testPlugin(nodeAffinity, { addedAffinity }), picky, snapshot), {
      east: no,
      west: 'ok',
      bare: "node(s) didn't match scheduler-enforced node affinity (unresolvable)",
    })
  })
})

describe('NodeAffinity restricts the nodes', () => {
  const nodesFor = (...terms: readonly NodeSelectorTerm[]) => {
    const made = testPlugin(nodeAffinity).preFilter!(requiring(...terms), snapshot)!
    return isRejection(made) ? made.reasons : made.nodes && [...made.nodes]
  }

  test('to those that are named, if every term names some', () => {
    assert.deepEqual(nodesFor(named('a', 'b'), named('b', 'c')), ['a', 'b', 'c'])
    assert.equal(nodesFor(named('a'), { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }), undefined)
  })

  test('to none if the names contradict each other', () => {
    const { matchFields = [] } = named('a')
    assert.deepEqual(nodesFor({ matchFields: [...matchFields, ...named('b').matchFields!] }), [
      'pod affinity terms conflict',
    ])
  })

  test('not for a pod without affinity', () =>
    assert.equal(testPlugin(nodeAffinity).preFilter!(pod('p'), snapshot), undefined))
})

describe('NodeAffinity scores nodes', () => {
  const preferring = (...weights: readonly (readonly [number, NodeSelectorTerm])[]) =>
    weights.map(([weight, preference]) => ({ weight, preference }))
  const inZone = (zone: string): NodeSelectorTerm => ({
    matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }],
  })

  test('by the weights of the preferred terms that match', () => {
    const preferences = preferring([30, inZone('east')], [20, inZone('west')], [20, named('west')], [9, {}])
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferences } }
    assert.deepEqual(scores(testPlugin(nodeAffinity), pod('p', { spec: { affinity } }), snapshot), {
      east: 75,
      west: 100,
      bare: 0,
    })
  })

  test('by the preferred terms of the profile', () => {
    const addedAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferring([1, inZone('east')]) }
    assert.deepEqual(scores(testPlugin(nodeAffinity, { addedAffinity }), pod('p'), snapshot), {
      east: 100,
      west: 0,
      bare: 0,
    })
  })

  test('not without preferred terms', () =>
    assert.equal(scores(testPlugin(nodeAffinity), pod('p'), snapshot), undefined))
})

test('a node that begins to match is helpful', () => {
  const plugin = testPlugin(nodeAffinity)
  const picky = pod('p', { spec: { nodeSelector: { zone: 'east' } } })
  const added = (object: typeof east) =>
    isHelpful(plugin, picky, { resource: 'Node', actions: ['added'], object: object.node })
  assert.equal(added(east), true)
  assert.equal(added(west), false)
  const changed = (old: typeof east, now: typeof east) =>
    isHelpful(plugin, picky, { resource: 'Node', actions: ['labels'], object: now.node, old: old.node })
  assert.equal(changed(bare, east), true)
  assert.equal(changed(east, east), false)
})
