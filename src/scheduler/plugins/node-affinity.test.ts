import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NodeSelectorTerm } from '../../api/core/v1/affinity/node-selector.js'
import { isRejection } from '../framework/plugin.js'
import { nodeAffinity } from './node-affinity.js'
import { cluster, helps, node, pod, scores, verdicts } from './plugins.test.kit.js'

const east = node('east', { labels: { zone: 'east', size: '3' } })
const west = node('west', { labels: { zone: 'west', size: '9' } })
const bare = node('bare')
const world = cluster(east, west, bare)
const no = "node(s) didn't match Pod's node affinity/selector (for good)"

function requiring(...nodeSelectorTerms: readonly NodeSelectorTerm[]) {
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } }
  return pod('p', { spec: { affinity: { nodeAffinity } } })
}

const named = (...values: readonly string[]): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values }],
})

describe('a pod goes only to nodes', () => {
  test('that have the labels of its node selector, all of them', () => {
    const one = pod('p', { spec: { nodeSelector: { zone: 'east', size: '3' } } })
    const other = pod('p', { spec: { nodeSelector: { zone: 'east', size: '9' } } })
    assert.deepEqual(verdicts(nodeAffinity(), one, world), { east: 'ok', west: no, bare: no })
    assert.deepEqual(verdicts(nodeAffinity(), other, world), { east: no, west: no, bare: no })
  })

  const cases: readonly (readonly [string, readonly NodeSelectorTerm[], readonly string[]])[] = [
    ['In', [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['west', 'south'] }] }], ['west']],
    ['NotIn', [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['west'] }] }], ['east', 'bare']],
    ['Exists', [{ matchExpressions: [{ key: 'zone', operator: 'Exists' }] }], ['east', 'west']],
    ['DoesNotExist', [{ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }], ['bare']],
    ['Gt', [{ matchExpressions: [{ key: 'size', operator: 'Gt', values: ['5'] }] }], ['west']],
    ['Lt', [{ matchExpressions: [{ key: 'size', operator: 'Lt', values: ['5'] }] }], ['east']],
    [
      'one of two terms',
      [named('bare'), { matchExpressions: [{ key: 'size', operator: 'Lt', values: ['5'] }] }],
      ['east', 'bare'],
    ],
    [
      'both expressions of a term',
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
    ['a name', [named('bare')], ['bare']],
    ['an empty term, which is none', [{}], []],
  ]
  for (const [title, terms, expected] of cases)
    test(`that it requires, by ${title}`, () => {
      const found = verdicts(nodeAffinity(), requiring(...terms), world)
      assert.deepEqual(
        Object.keys(found).filter((each) => found[each] === 'ok'),
        expected,
      )
    })

  test('that the scheduler demands for it', () => {
    const addedAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [named('east', 'west')] },
    }
    const picky = pod('p', { spec: { nodeSelector: { zone: 'west' } } })
    assert.deepEqual(verdicts(nodeAffinity({ addedAffinity }), picky, world), {
      east: no,
      west: 'ok',
      bare: "node(s) didn't match scheduler-enforced node affinity (for good)",
    })
  })
})

describe('which nodes need to be looked at', () => {
  const nodesFor = (...terms: readonly NodeSelectorTerm[]) => {
    const made = nodeAffinity().preFilter!(requiring(...terms), world)!
    return isRejection(made) ? made.reasons : made.nodes && [...made.nodes]
  }

  test('those that the pod names, if every term names some', () => {
    assert.deepEqual(nodesFor(named('a', 'b'), named('b', 'c')), ['a', 'b', 'c'])
    assert.equal(nodesFor(named('a'), { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }), undefined)
  })

  test('none if the names contradict each other', () => {
    const { matchFields = [] } = named('a')
    assert.deepEqual(nodesFor({ matchFields: [...matchFields, ...named('b').matchFields!] }), [
      'pod affinity terms conflict',
    ])
  })

  test('all of them for a pod that says nothing', () =>
    assert.equal(nodeAffinity().preFilter!(pod('p'), world), undefined))
})

describe('nodes that a pod prefers', () => {
  const preferring = (...weights: readonly (readonly [number, NodeSelectorTerm])[]) =>
    weights.map(([weight, preference]) => ({ weight, preference }))
  const inZone = (zone: string): NodeSelectorTerm => ({
    matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }],
  })

  test('score by the weights of what holds, the best 100', () => {
    const preferences = preferring([30, inZone('east')], [20, inZone('west')], [20, named('west')], [9, {}])
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferences } }
    assert.deepEqual(scores(nodeAffinity(), pod('p', { spec: { affinity } }), world), { east: 75, west: 100, bare: 0 })
  })

  test('may be preferred by the scheduler', () => {
    const addedAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferring([1, inZone('east')]) }
    assert.deepEqual(scores(nodeAffinity({ addedAffinity }), pod('p'), world), { east: 100, west: 0, bare: 0 })
  })

  test('are not compared if it prefers nothing', () => assert.equal(scores(nodeAffinity(), pod('p'), world), undefined))
})

test('a node helps that begins to fit', () => {
  const plugin = nodeAffinity()
  const picky = pod('p', { spec: { nodeSelector: { zone: 'east' } } })
  const added = (object: typeof east) =>
    helps(plugin, picky, { resource: 'Node', actions: ['added'], object: object.node })
  assert.equal(added(east), true)
  assert.equal(added(west), false)
  const changed = (old: typeof east, now: typeof east) =>
    helps(plugin, picky, { resource: 'Node', actions: ['labels'], object: now.node, old: old.node })
  assert.equal(changed(bare, east), true)
  assert.equal(changed(east, east), false)
})
