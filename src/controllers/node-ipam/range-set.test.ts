import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseCidr } from '../../schema/values/ip-address.js'
import { RangeAllocator } from './range-allocator.js'
import { RangeSet } from './range-set.js'
import { nodeRanges } from './ranges.js'

function set(range: string, partLength: number): RangeSet {
  return new RangeSet(parseCidr(range)!, partLength)
}

function take(ranges: RangeSet, count: number): readonly (string | undefined)[] {
  return Array.from({ length: count }, () => ranges.takeNext())
}

describe('a range is divided', () => {
  for (const [range, partLength, expected] of [
    ['10.244.0.0/16', 24, ['10.244.0.0/24', '10.244.1.0/24', '10.244.2.0/24']],
    ['10.244.7.0/23', 24, ['10.244.6.0/24', '10.244.7.0/24', undefined]],
    ['10.0.0.0/30', 30, ['10.0.0.0/30', undefined, undefined]],
    ['fd00:10::/48', 64, ['fd00:10::/64', 'fd00:10:0:1::/64', 'fd00:10:0:2::/64']],
    ['2001:db8::/120', 122, ['2001:db8::/122', '2001:db8::40/122', '2001:db8::80/122']],
  ] as const)
    test(`${range} into parts of /${partLength}`, () => assert.deepEqual(take(set(range, partLength), 3), expected))

  test('around larger and smaller ranges that are taken', () => {
    const ranges = set('10.0.0.0/22', 24)
    assert.equal(ranges.take(parseCidr('10.0.1.128/25')!), true)
    assert.equal(ranges.take(parseCidr('10.0.2.0/23')!), true)
    assert.equal(ranges.take(parseCidr('10.1.0.0/24')!), false)
    assert.deepEqual(take(ranges, 2), ['10.0.0.0/24', undefined])
    ranges.take(parseCidr('10.0.0.0/8')!)
    ranges.free(parseCidr('10.0.3.0/24')!)
    assert.deepEqual(take(ranges, 2), ['10.0.3.0/24', undefined])
  })

  test('so that a part that was freed is taken last', () => {
    const ranges = set('10.0.0.0/22', 24)
    take(ranges, 2)
    ranges.free(parseCidr('10.0.0.0/24')!)
    assert.deepEqual(take(ranges, 3), ['10.0.2.0/24', '10.0.3.0/24', '10.0.0.0/24'])
  })

  test('not into too many parts, nor into parts larger than itself', () => {
    assert.throws(() => set('fd00::/32', 64), /too big/)
    assert.throws(() => set('10.0.0.0/24', 16), /do not fit/)
  })
})

describe('the mask sizes of nodes', () => {
  for (const [options, expected] of [
    [{ clusterCidr: '10.0.0.0/8' }, [24]],
    [{ clusterCidr: 'fd00::/48' }, [64]],
    [{ clusterCidr: 'fd00::/48, 10.0.0.0/8', nodeCidrMaskSizeIpv4: 26 }, [64, 26]],
    [{ clusterCidr: '10.0.0.0/8', nodeCidrMaskSize: 20 }, [20]],
    [{ clusterCidr: '' }, /invalid CIDR address/],
    [{ clusterCidr: '10.0.0.0/8,10.1.0.0/16' }, /not configured as dual stack/],
    [{ clusterCidr: '10.0.0.0/8,fd00::/48', nodeCidrMaskSize: 24 }, /not allowed with dual-stack clusters/],
    [{ clusterCidr: '10.0.0.0/8', nodeCidrMaskSizeIpv6: 64 }, /not allowed for a single-stack IPv4 cluster/],
    [{ clusterCidr: 'fd00::/48', nodeCidrMaskSizeIpv4: 24 }, /not allowed for a single-stack IPv6 cluster/],
    [{ clusterCidr: '10.0.0.0/8', nodeCidrMaskSize: 24, nodeCidrMaskSizeIpv4: 24 }, /if --node-cidr-mask-size is set/],
  ] as const)
    test(JSON.stringify(options), () => {
      if (expected instanceof RegExp) assert.throws(() => nodeRanges(options), expected)
      else
        assert.deepEqual(
          nodeRanges(options).map(({ partLength }) => partLength),
          expected,
        )
    })
})

describe('nodes are allocated subranges', () => {
  test('of both ranges or of none', () => {
    const allocator = new RangeAllocator({ clusterCidr: '10.0.0.0/23,fd00::/48' })
    assert.deepEqual(allocator.allocate('a'), ['10.0.0.0/24', 'fd00::/64'])
    assert.deepEqual(allocator.allocate('b'), ['10.0.1.0/24', 'fd00:0:0:1::/64'])
    assert.equal(allocator.allocate('c'), undefined)
    allocator.release('a')
    assert.deepEqual(allocator.allocate('c'), ['10.0.0.0/24', 'fd00:0:0:2::/64'])
  })

  test('so that nothing is lost when one of the ranges is exhausted', () => {
    const allocator = new RangeAllocator({ clusterCidr: '10.0.0.0/23,fd00::/63' })
    assert.equal(allocator.occupy('strange', ['10.9.0.0/24', 'fd00::/64']), false)
    allocator.allocate('a')
    assert.equal(allocator.allocate('b'), undefined)
    allocator.release('strange')
    assert.deepEqual(allocator.allocate('b'), ['10.0.1.0/24', 'fd00::/64'])
  })

  test('outside the range of services', () => {
    const allocator = new RangeAllocator({ clusterCidr: '10.0.0.0/22', serviceClusterIpRange: '10.0.0.0/23' })
    assert.deepEqual(allocator.allocate('a'), ['10.0.2.0/24'])
  })

  test('that no other node has, after any sequence of changes and restarts', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const step = fc.oneof(
      fc.record({ do: fc.constant('come' as const), name }),
      fc.record({ do: fc.constant('go' as const), name }),
      fc.record({ do: fc.constant('restart' as const), name }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const fresh = () => new RangeAllocator({ clusterCidr: '10.0.0.0/22' })
        const nodes = new Map<string, readonly string[]>()
        let allocator = fresh()
        for (const { do: what, name: node } of steps) {
          if (what === 'restart') {
            allocator = fresh()
            for (const [each, parts] of nodes) assert.ok(allocator.occupy(each, parts))
          } else if (what === 'go') {
            nodes.delete(node)
            allocator.release(node)
          } else {
            const parts = nodes.get(node) ?? allocator.allocate(node)
            if (parts) nodes.set(node, parts)
            else assert.equal(nodes.size, 4)
          }
          assert.equal(new Set([...nodes.values()].flat()).size, nodes.size)
        }
      }),
    )
  })
})
