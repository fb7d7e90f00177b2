import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Node } from '../../api/core/v1/node.js'
import type { Endpoint } from '../../api/discovery/v1/endpoint-slice.js'
import type { SliceDraft } from '../services/endpoint-slices.js'
import { type Allocations, allocate, isOverloaded } from './allocation.js'
import { transfers } from './transfers.js'
import { type HintedSlices, zoneHints } from './zone-hints.js'
import { zoneShares } from './zone-shares.js'

function slice(zones: readonly string[], hints?: readonly string[]): SliceDraft {
  const endpoints = zones.map(
    (zone, i): Endpoint => ({
      addresses: [`10.0.0.${i}`],
      conditions: { ready: true },
      zone,
      ...(hints && { hints: { forZones: [{ name: hints[i]! }] } }),
    }),
  )
  return { metadata: {}, addressType: 'IPv4', ports: [], endpoints }
}

function hintsOf({ endpoints }: SliceDraft): readonly (string | undefined)[] {
  return endpoints.map(({ hints }) => hints?.forZones?.[0]?.name)
}

const half = new Map([
  ['a', 0.5],
  ['b', 0.5],
])

function hinted(create: readonly SliceDraft[], unchanged: readonly SliceDraft[] = []): HintedSlices {
  const result = zoneHints({ create, update: [], unchanged }, half)
  if ('reason' in result) assert.fail(result.reason)
  return result
}

function node(zone: string, cpu: string, options: { isReady?: boolean; role?: string } = {}): Node {
  const { isReady = true, role } = options
  const labels = { 'topology.kubernetes.io/zone': zone, ...(role && { [`node-role.kubernetes.io/${role}`]: '' }) }
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
  return { metadata: { labels }, status: { conditions, allocatable: { cpu } } } as unknown as Node
}

describe('the processors of a zone', () => {
  test('count where nodes are ready and run what people want', () => {
    const nodes = [
      node('a', '3'),
      node('b', '500m'),
      node('b', '500m'),
      node('b', '9', { isReady: false }),
      node('a', '9', { role: 'control-plane' }),
    ]
    assert.deepEqual(
      [...zoneShares(nodes)!],
      [
        ['a', 0.75],
        ['b', 0.25],
      ],
    )
  })

  test('cannot be told if a node does not say where it is, or what it has, or if there is one zone only', () => {
    assert.equal(zoneShares([node('a', '1'), node('', '1'), node('b', '1')]), undefined)
    assert.equal(zoneShares([node('a', '1'), node('b', '0')]), undefined)
    assert.equal(zoneShares([node('a', '1'), node('a', '1')]), undefined)
  })
})

describe('from zones with too many endpoints to those with too few', () => {
  for (const [what, desired, counts, expected] of [
    ['whole ones move', { a: 2, b: 2 }, { a: 4, b: 0 }, ['b', 'b', undefined]],
    ['less than a whole one stays', { a: 2.2, b: 1.8 }, { a: 3, b: 1 }, [undefined]],
    ['a part moves where a whole one is missing', { a: 2.3, b: 3.1, c: 0.6 }, { a: 3, b: 2, c: 1 }, ['b', undefined]],
    ['less than half stays, whatever is missing', { a: 2.6, b: 3.4, c: 0.0 }, { a: 3, b: 2, c: 0 }, [undefined]],
  ] as const)
    test(what, () => {
      const wanted = Object.entries(desired).map(
        ([zone, each]) => [zone, { desired: each, minimum: 0, maximum: 9 }] as const,
      )
      const moves = transfers(new Map(wanted), new Map(Object.entries(counts)))
      assert.deepEqual(
        expected.map(() => moves.next('a')),
        expected,
      )
    })
})

test('a service has too few endpoints for a zone when processors are elsewhere than they were', () => {
  const counts = new Map([
    ['a', 3],
    ['b', 3],
  ])
  assert.equal(isOverloaded(counts, half), false)
  assert.equal(
    isOverloaded(
      counts,
      new Map([
        ['a', 0.7],
        ['b', 0.3],
      ]),
    ),
    true,
  )
  assert.equal(
    isOverloaded(
      counts,
      new Map([
        ['a', 0.4],
        ['b', 0.4],
        ['c', 0.2],
      ]),
    ),
    true,
  )
  assert.equal(isOverloaded(counts, undefined), true)
  assert.equal(isOverloaded(new Map(), undefined), false)
})

describe('endpoints are divided among zones', () => {
  test('each for its own, where that is right', () => {
    assert.deepEqual(hinted([slice(['a', 'b'])]).set.create.map(hintsOf), [['a', 'b']])
  })

  test('so that those with too many give to those with too few', () => {
    const { set, counts } = hinted([slice(['a', 'a', 'a', 'b'])])
    assert.deepEqual(set.create.map(hintsOf), [['b', 'a', 'a', 'b']])
    assert.deepEqual(
      [...counts],
      [
        ['a', 2],
        ['b', 2],
      ],
    )
  })

  test('without touching slices whose hints are good', () => {
    const good = slice(['a', 'a'], ['a', 'b'])
    const { set } = hinted([slice(['a', 'b'])], [good])
    assert.deepEqual(set.unchanged, [good])
    assert.deepEqual(set.update, [])
  })

  test('anew, where a hint is missing or is for a zone that is not there', () => {
    for (const bad of [slice(['a', 'b']), slice(['a', 'b'], ['a', 'z'])])
      assert.deepEqual(hinted([], [bad]).set.update.map(hintsOf), [['a', 'b']])
  })

  for (const [what, set, shares, expected] of [
    [
      'nodes do not say enough',
      [slice(['a'])],
      undefined,
      'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    ],
    ['there are fewer than zones', [slice(['a'])], half, 'Insufficient number of endpoints (1 endpoints, 2 zones)'],
    [
      'some zone would have too few',
      [slice(['a', 'a', 'b'])],
      new Map([
        ['a', 0.34],
        ['b', 0.33],
        ['c', 0.33],
      ]),
      undefined,
    ],
    ['one is in no zone', [slice(['a', ''])], half, 'One or more endpoints do not have a zone specified'],
  ] as const)
    test(`${expected === undefined ? 'although' : 'unless'} ${what}`, () => {
      const result = zoneHints({ create: set, update: [], unchanged: [] }, shares)
      assert.equal('reason' in result ? result.reason : undefined, expected)
    })

  test('so that none does much more than its part, however they are spread', () => {
    const zones = ['a', 'b', 'c']
    const shares = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...zones), { minLength: 1, maxLength: 40 }), shares, (where, options) => {
        const total = options.reduce((sum, part) => sum + part)
        const ratios = new Map(zones.map((zone, i) => [zone, options[i]! / total]))
        const result = zoneHints({ create: [slice(where)], update: [], unchanged: [] }, ratios)
        if ('reason' in result) return
        const allocations = allocate(where.length, ratios) as Allocations
        const given = hintsOf(result.set.create[0]!)
        for (const [zone, { minimum, maximum }] of allocations) {
          const count = given.filter((each) => each === zone).length
          assert.equal(count, result.counts.get(zone) ?? 0)
          // What is too much by less than half an endpoint stays where it is.
          assert.ok(count >= minimum - 1 && count <= maximum + 1, `${zone}: ${count} of ${minimum} to ${maximum}`)
        }
      }),
    )
  })
})
