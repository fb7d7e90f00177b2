import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Taint, Toleration } from '../taint.js'
import { tolerates, untoleratedTaint, withToleration } from './tolerations.js'

const taint: Taint = { key: 'disk', value: 'slow', effect: 'NoSchedule' }

describe('a toleration', () => {
  const cases: readonly (readonly [string, Toleration, boolean])[] = [
    ['of everything', { operator: 'Exists' }, true],
    ['of everything with that effect', { operator: 'Exists', effect: 'NoSchedule' }, true],
    ['of everything with another effect', { operator: 'Exists', effect: 'NoExecute' }, false],
    ['of the key', { key: 'disk', operator: 'Exists' }, true],
    ['of another key', { key: 'cpu', operator: 'Exists' }, false],
    ['of the value', { key: 'disk', value: 'slow' }, true],
    [
      'of the value, by name of the operator',
      { key: 'disk', operator: 'Equal', value: 'slow', effect: 'NoSchedule' },
      true,
    ],
    ['of another value', { key: 'disk', operator: 'Equal', value: 'fast' }, false],
    ['of no value', { key: 'disk' }, false],
  ]
  for (const [what, toleration, expected] of cases)
    test(`${what} ${expected ? 'fits' : 'does not fit'}`, () => assert.equal(tolerates(toleration, taint), expected))

  test('of no value fits a taint without one', () =>
    assert.equal(tolerates({ key: 'disk' }, { key: 'disk', effect: 'NoSchedule' }), true))
})

describe('of the taints of a node', () => {
  test('the first that is not tolerated is told, if its effect is asked for', () => {
    const taints: readonly Taint[] = [taint, { key: 'gone', effect: 'NoExecute' }]
    assert.equal(
      untoleratedTaint(taints, [{ key: 'disk', operator: 'Exists' }], ['NoSchedule', 'NoExecute']),
      taints[1],
    )
    assert.equal(untoleratedTaint(taints, [], ['NoExecute']), taints[1])
    assert.equal(untoleratedTaint(taints, undefined, ['PreferNoSchedule']), undefined)
    assert.equal(untoleratedTaint(undefined, undefined, ['NoSchedule']), undefined)
  })
})

describe('adding a toleration', () => {
  test('puts it last', () =>
    assert.deepEqual(withToleration([{ operator: 'Exists' }], { key: 'k', operator: 'Exists' }), [
      { operator: 'Exists' },
      { key: 'k', operator: 'Exists' },
    ]))

  test('replaces one of the same taints, however long that one would last', () =>
    assert.deepEqual(
      withToleration([{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }], {
        key: 'k',
        operator: 'Exists',
        effect: 'NoExecute',
      }),
      [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }],
    ))
})
