import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Service } from '../../api/core/v1/service.js'
import type { Endpoint, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { endpointKey, type SliceChanges, type SliceDraft } from '../services/endpoint-slices.js'
import { type EndpointGroup, pack } from './packing.js'
import { newSlice } from './slice-metadata.js'

const limit = 4
const service = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u' },
  spec: { clusterIP: '10.0.0.9' },
} as unknown as Service
const shape = { addressType: 'IPv4', ports: [{ name: 'http', port: 80, protocol: 'TCP' }] } as const

function endpoint(number: number, ready = true): Endpoint {
  return {
    addresses: [`10.0.0.${number}`],
    conditions: { ready },
    targetRef: { kind: 'Pod', namespace: 'shop', name: `p${number}` },
  }
}

function slice(name: string, endpoints: readonly Endpoint[]): EndpointSlice {
  const draft = newSlice(service, shape)
  return { ...draft, metadata: { ...draft.metadata, name }, endpoints } as unknown as EndpointSlice
}

function group(endpoints: readonly Endpoint[]): EndpointGroup {
  return { ...shape, endpoints: new Map(endpoints.map((each) => [endpointKey(each), each])) }
}

/** Numbers of the endpoints in each slice. */
function numbers({ endpoints }: Pick<SliceDraft, 'endpoints'>): readonly number[] {
  return endpoints.map(({ addresses }) => Number(addresses[0]!.split('.')[3]))
}

function shown({ create, update, remove }: SliceChanges) {
  return {
    create: create.map(numbers),
    update: Object.fromEntries(update.map((each) => [each.metadata.name!, numbers(each)] as const)),
    remove: remove.map(({ metadata }) => metadata.name),
  }
}

function packed(slices: Readonly<Record<string, readonly number[]>>, wanted: readonly number[]) {
  const there = Object.entries(slices).map(([name, some]) =>
    slice(
      name,
      some.map((each) => endpoint(each)),
    ),
  )
  return shown(pack(there, group(wanted.map((each) => endpoint(each))), service, limit))
}

describe('endpoints are packed', () => {
  for (const [what, slices, wanted, expected] of [
    ['into new slices', {}, [1, 2, 3, 4, 5], { create: [[1, 2, 3, 4], [5]], update: {}, remove: [] }],
    ['without touching what is right', { a: [1, 2] }, [1, 2], { create: [], update: {}, remove: [] }],
    [
      'into a slice that loses one',
      { a: [1, 2], b: [3] },
      [1, 3, 9],
      { create: [], update: { a: [1, 9] }, remove: [] },
    ],
    [
      'into the slice that they fill best',
      { a: [1], b: [2, 3], c: [4, 5, 6] },
      [1, 2, 3, 4, 5, 6, 8, 9],
      { create: [], update: { b: [2, 3, 8, 9] }, remove: [] },
    ],
    [
      'into a new slice, if they fit together into none',
      { a: [1, 2, 3] },
      [1, 2, 3, 8, 9],
      { create: [[8, 9]], update: {}, remove: [] },
    ],
    ['so that empty slices go', { a: [1], b: [2] }, [2], { create: [], update: {}, remove: ['a'] }],
    [
      'into the fullest of those that change first',
      { a: [1, 2, 3, 4], b: [5, 6] },
      [1, 2, 3, 5, 8, 9, 10, 11, 12],
      { create: [[12]], update: { a: [1, 2, 3, 8], b: [5, 9, 10, 11] }, remove: [] },
    ],
  ] as const)
    test(what, () => assert.deepEqual(packed(slices, wanted), expected))

  test('where they are, when they change', () => {
    const there = slice('a', [endpoint(1), endpoint(2)])
    const { update } = pack([there], group([endpoint(1, false), endpoint(2)]), service, limit)
    assert.deepEqual(update[0]!.endpoints, [endpoint(1, false), endpoint(2)])
  })

  test('with the labels of the service', () => {
    const there = slice('a', [endpoint(1)])
    const other = { ...service, metadata: { ...service.metadata, labels: { team: 'x' } } } as Service
    const { update } = pack([there], group([endpoint(1)]), other, limit)
    assert.equal(update[0]!.metadata.labels!.team, 'x')
  })

  test('all of them, each once, in slices that are not too large, of which no more change than need be', () => {
    const some = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 24 })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), some, (lists, wanted) => {
        const taken = new Set<number>()
        const slices = Object.fromEntries(
          lists.map((list, i) => {
            const own = list.filter((each) => !taken.has(each)).slice(0, limit)
            for (const each of own) taken.add(each)
            return [`s${i}`, own]
          }),
        )
        const { create, update, remove } = packed(slices, wanted)
        const after: Record<string, readonly number[]> = { ...slices, ...update }
        for (const name of remove) delete after[name!]
        const all = [...create, ...Object.values(after)]
        assert.deepEqual(all.flat().sort(), [...wanted].sort())
        assert.ok(all.every((list) => list.length <= limit))
        for (const [name, list] of Object.entries(update)) assert.notDeepEqual(list, slices[name])
        // What is packed once is right.
        const again = packed(
          Object.fromEntries([...Object.entries(after), ...create.map((list, i) => [`new${i}`, list] as const)]),
          wanted,
        )
        assert.deepEqual([again.create, again.update], [[], {}])
      }),
    )
  })
})
