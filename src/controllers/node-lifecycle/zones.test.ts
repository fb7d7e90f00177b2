import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decide, type ReadyStatuses, Zones, type ZonesDecision, zoneState } from './zones.js'

const rates = { usual: 0.1, reduced: 0.01, largeZone: 50, lostPart: 0.55 }

function nodes(ready: number, unready: number): ReadyStatuses {
  return [...Array<'True'>(ready).fill('True'), ...Array<'Unknown'>(unready).fill('Unknown')]
}

describe('a zone', () => {
  for (const [ready, unready, expected] of [
    [3, 0, 'Normal'],
    [0, 1, 'FullDisruption'],
    [1, 2, 'Normal'],
    [2, 3, 'PartialDisruption'],
    [3, 3, 'Normal'],
    [9, 11, 'PartialDisruption'],
    [0, 0, 'Normal'],
  ] as const)
    test(`with ${ready} nodes that are ready and ${unready} that are not is in state ${expected}`, () => {
      assert.equal(zoneState(nodes(ready, unready), rates.lostPart), expected)
    })

  test('counts a node without status as not ready', () => {
    assert.equal(zoneState([undefined], rates.lostPart), 'FullDisruption')
  })
})

type StatusesByZone = Readonly<Record<string, ReadyStatuses>>

/** Decides on the states of the zones and applies the decision. */
function update(zones: Zones, statuses: StatusesByZone, now: number): ZonesDecision['transition'] {
  const decision = decide({ before: zones.states, statuses: new Map(Object.entries(statuses)), rates })
  zones.apply(decision.zones, now)
  return decision.transition
}

describe('the eviction rate', () => {
  function rateIn(zone: string, statuses: StatusesByZone): number {
    const zones = new Zones(rates)
    update(zones, statuses, 0)
    return zones.queue(zone).rate
  }

  test('is the usual one in a zone that works, and in one that is lost as a whole', () => {
    assert.equal(rateIn('a', { a: nodes(1, 1), b: nodes(1, 0) }), 0.1)
    assert.equal(rateIn('a', { a: nodes(0, 3), b: nodes(1, 0) }), 0.1)
  })

  test('is reduced in a large zone that is lost in part, and 0 in a small one', () => {
    assert.equal(rateIn('a', { a: nodes(20, 31), b: nodes(1, 0) }), 0.01)
    assert.equal(rateIn('a', { a: nodes(19, 31), b: nodes(1, 0) }), 0)
  })

  test('is 0 while no node of the cluster is ready, and the usual one again with the first', () => {
    const zones = new Zones(rates)
    const lost = { a: nodes(0, 2), b: nodes(0, 1) }
    assert.equal(update(zones, lost, 0), 'all lost')
    assert.equal(zones.queue('a').rate, 0)
    assert.equal(update(zones, lost, 1), undefined)
    assert.equal(zones.queue('a').rate, 0)
    assert.equal(update(zones, { ...lost, b: nodes(1, 0) }, 2), 'some found again')
    assert.equal(zones.queue('a').rate, 0.1)
    assert.equal(zones.queue('a').wait(2), 10_000)
  })

  test('stays if the state of the zone stays', () => {
    const statuses = new Map([['a', nodes(2, 0)]])
    assert.deepEqual(decide({ before: new Map([['a', 'Normal']]), statuses, rates }), {
      zones: new Map([['a', { state: 'Normal' }]]),
    })
  })

  test('lets the first node pass at once and the next one after the interval', () => {
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

test('a zone without nodes is forgotten', () => {
  const zones = new Zones(rates)
  update(zones, { a: nodes(1, 0), b: nodes(1, 0) }, 0)
  update(zones, { b: nodes(1, 0) }, 1)
  assert.deepEqual([...zones.keys()], ['b'])
})
