import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from '../node.js'
import type { PodSpec } from '../pod/spec.js'
import { fitsNode, selectsNode, termSelectsNode } from './node-affinity.js'
import type { NodeSelectorTerm } from './node-selector.js'

const node = { metadata: { name: 'na', labels: { zone: 'z1', cores: '16' } } } as unknown as Node

describe('a term of a node selector', () => {
  const cases: readonly (readonly [string, NodeSelectorTerm, boolean])[] = [
    ['that says nothing', {}, false],
    ['In', { matchExpressions: [{ key: 'zone', operator: 'In', values: ['z2', 'z1'] }] }, true],
    ['In, without the label', { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }, false],
    ['NotIn', { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['z1'] }] }, false],
    ['NotIn, without the label', { matchExpressions: [{ key: 'disk', operator: 'NotIn', values: ['ssd'] }] }, true],
    ['Exists', { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, true],
    ['DoesNotExist', { matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, false],
    ['Gt, by number and not by text', { matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['9'] }] }, true],
    ['Lt', { matchExpressions: [{ key: 'cores', operator: 'Lt', values: ['16'] }] }, false],
    ['Gt of what is no number', { matchExpressions: [{ key: 'zone', operator: 'Gt', values: ['1'] }] }, false],
    ['of the name', { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['na'] }] }, true],
    ['of another name', { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['nb'] }] }, false],
    [
      'of which only a part holds',
      {
        matchExpressions: [{ key: 'zone', operator: 'Exists' }],
        matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['na'] }],
      },
      false,
    ],
  ]
  for (const [what, term, expected] of cases)
    test(`${what}: ${expected}`, () => assert.equal(termSelectsNode(term, node), expected))

  test('is sufficient if it matches; without terms, nothing matches', () => {
    const holding = { matchExpressions: [{ key: 'zone', operator: 'Exists' as const }] }
    assert.equal(selectsNode({ nodeSelectorTerms: [{}, holding] }, node), true)
    assert.equal(selectsNode({ nodeSelectorTerms: [] }, node), false)
  })
})

describe('a pod fits a node', () => {
  const fits = (spec: object) => fitsNode(spec as PodSpec, node)
  const zone = (value: string) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] }],
      },
    },
  })

  test('if it has no selector', () => assert.equal(fits({}), true))
  test('if the node has all labels that it selects', () => {
    assert.equal(fits({ nodeSelector: { zone: 'z1', cores: '16' } }), true)
    assert.equal(fits({ nodeSelector: { zone: 'z1', cores: '8' } }), false)
  })
  test('if the required affinity matches as well', () => {
    assert.equal(fits({ nodeSelector: { cores: '16' }, affinity: zone('z1') }), true)
    assert.equal(fits({ nodeSelector: { cores: '16' }, affinity: zone('z2') }), false)
    assert.equal(fits({ nodeSelector: { cores: '8' }, affinity: zone('z1') }), false)
  })
  test('regardless of preferences', () =>
    assert.equal(fits({ affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } }), true))
})
