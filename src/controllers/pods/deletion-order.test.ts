import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { podsToDelete } from './deletion-order.js'
import { somePod, type TestPodOptions } from './pods.test.kit.js'

const now = Date.UTC(2026, 0, 2)
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString().replace('.000', '')
const cost = (text: string) => ({ annotations: { 'controller.kubernetes.io/pod-deletion-cost': text } })

/** Names of pods in the order in which they go. */
function order(pods: readonly TestPodOptions[], related: readonly TestPodOptions[] = []): readonly string[] {
  const all = pods.map((options) => somePod(options))
  const others = [...all, ...related.map((options) => somePod(options))]
  const named = (count: number) => podsToDelete(all, { count, related: others, now }).map((pod) => pod.metadata.name!)
  // One at a time: asked for all of them, nobody has to choose.
  const names: string[] = []
  for (let count = 1; count < all.length; count++) names.push(named(count).find((name) => !names.includes(name))!)
  return names
}

describe('of pods that are too many, first goes', () => {
  const ready = { node: 'a', ready: ago(100), creationTimestamp: ago(200) }
  const table: readonly (readonly [string, TestPodOptions, TestPodOptions])[] = [
    ['the one without a node', {}, { phase: 'Pending', node: 'a' }],
    ['the one that has not begun', { node: 'a', phase: 'Pending' }, { node: 'a', phase: 'Unknown' }],
    ['the one of which nobody knows', { node: 'a', phase: 'Unknown' }, { node: 'a' }],
    ['the one that is not ready', { node: 'a' }, { ...ready, ...cost('-5') }],
    ['the cheaper one', { ...ready, ...cost('-1') }, ready],
    ['the one whose cost can be read', { ...ready, ...cost('-1') }, { ...ready, ...cost('-01') }],
    ['the one that has been ready for less long', { ...ready, ready: ago(10) }, ready],
    ['the one that does not say since when it is ready', { ...ready, ready: '' }, ready],
    ['the one that restarted more often', { ...ready, restarts: 3 }, { ...ready, restarts: 1, sidecarRestarts: 9 }],
    ['the one whose sidecar restarted more often', { ...ready, sidecarRestarts: 2 }, ready],
    ['the younger one', { ...ready, creationTimestamp: ago(20) }, ready],
  ]
  for (const [title, first, second] of table)
    test(title, () => {
      assert.deepEqual(
        order([
          { ...first, name: 'first' },
          { ...second, name: 'second' },
        ]),
        ['first'],
      )
      assert.deepEqual(
        order([
          { ...second, name: 'second' },
          { ...first, name: 'first' },
        ]),
        ['first'],
      )
    })

  test('the one on a node where more of its kin are, those of siblings counted in', () => {
    const pods = [
      { ...ready, name: 'alone', node: 'b' },
      { ...ready, name: 'crowded' },
    ]
    assert.deepEqual(order(pods, [ready, ready]), ['crowded'])
    const gone = { ...ready, deletionTimestamp: ago(1) }
    assert.deepEqual(
      order(
        [
          { ...ready, name: 'one', node: 'a', uid: 'a' },
          { ...ready, name: 'two', node: 'b', uid: 'b', restarts: 1 },
        ],
        [gone, gone],
      ),
      ['two'],
    )
  })

  test('whichever chance says, of those about as old as each other', () => {
    const pods = (one: string, other: string) => [
      { ...ready, name: 'one', uid: one, ready: ago(100) },
      { ...ready, name: 'other', uid: other, ready: ago(101) },
    ]
    assert.deepEqual(order(pods('a', 'b')), ['one'])
    assert.deepEqual(order(pods('b', 'a')), ['other'])
  })
})

test('nobody chooses when all have to go', () => {
  const pods = [somePod(), somePod()]
  assert.equal(podsToDelete(pods, { count: 5, related: [], now }), pods)
})
