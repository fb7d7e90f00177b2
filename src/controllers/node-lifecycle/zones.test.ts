import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ReadyStatuses, Zones, zoneState } from './zones.js'

const rates = { usual: 0.1, reduced: 0.01, largeZone: 50, lostPart: 0.55 }

function nodes(ready: number, silent: number): ReadyStatuses {
  return [...Array<'True'>(ready).fill('True'), ...Array<'Unknown'>(silent).fill('Unknown')]
}

describe('a zone', () => {
  for (const [ready, silent, expected] of [
    [3, 0, 'Normal'],
    [0, 1, 'FullDisruption'],
    [1, 2, 'Normal'],
    [2, 3, 'PartialDisruption'],
    [3, 3, 'Normal'],
    [9, 11, 'PartialDisruption'],
    [0, 0, 'Normal'],
  ] as const)
    test(`with ${ready} nodes that are ready and ${silent} that are not is in state ${expected}`, () => {
      assert.equal(zoneState(nodes(ready, silent), rates.lostPart), expected)
    })

  test('with a node that never said anything has one that is not ready', () => {
    assert.equal(zoneState([undefined], rates.lostPart), 'FullDisruption')
  })
})

describe('the rate at which nodes are given up', () => {
  function rateIn(zone: string, seen: Readonly<Record<string, ReadyStatuses>>, zones = new Zones(rates)): number {
    zones.update(new Map(Object.entries(seen)), 0)
    return zones.queue(zone).rate
  }

  test('is the usual one in a zone that is well, and in one that is lost altogether', () => {
    assert.equal(rateIn('a', { a: nodes(1, 1), b: nodes(1, 0) }), 0.1)
    assert.equal(rateIn('a', { a: nodes(0, 3), b: nodes(1, 0) }), 0.1)
  })

  test('is reduced in a large zone that is lost in part, and nothing in a small one', () => {
    assert.equal(rateIn('a', { a: nodes(20, 31), b: nodes(1, 0) }), 0.01)
    assert.equal(rateIn('a', { a: nodes(19, 31), b: nodes(1, 0) }), 0)
  })

  test('is nothing while no node is ready, and comes back with the first', () => {
    const zones = new Zones(rates)
    assert.equal(
      zones.update(
        new Map([
          ['a', nodes(0, 2)],
          ['b', nodes(0, 1)],
        ]),
        0,
      ),
      'all lost',
    )
    assert.equal(zones.queue('a').rate, 0)
    assert.equal(
      zones.update(
        new Map([
          ['a', nodes(0, 2)],
          ['b', nodes(0, 1)],
        ]),
        1,
      ),
      undefined,
    )
    assert.equal(
      zones.update(
        new Map([
          ['a', nodes(0, 2)],
          ['b', nodes(1, 0)],
        ]),
        2,
      ),
      'some found again',
    )
    assert.equal(zones.queue('a').rate, 0.1)
    assert.equal(zones.queue('a').wait(2), 10_000)
  })

  test('lets the first pass at once and the next one after its time', () => {
    const queue = new Zones(rates).queue('a')
    for (const name of ['x', 'y']) queue.add(name)
    assert.equal(queue.wait(5), 0)
    queue.pass(5)
    queue.remove('x')
    assert.equal(queue.first, 'y')
    assert.equal(queue.wait(6), 9999)
    assert.equal(queue.wait(10_005), 0)
  })
})
