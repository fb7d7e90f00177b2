import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Lease } from '../../api/coordination/v1/lease.js'
import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import { formatMicroTime, formatTime } from '../../schema/values/time.js'
import { checkHealth, type HealthCheckInput, type NodeHealth } from './node-health.js'

const start = Date.UTC(2026, 0, 1)
const grace = 50_000

/** `elapsed` milliseconds after the start. The monotonic clock began much earlier. */
function at(elapsed: number): Pick<HealthCheckInput, 'now' | 'uptime'> {
  return { now: start + elapsed, uptime: 1_000_000 + elapsed }
}

function ready(status: NodeCondition['status'], heartbeat?: number): NodeCondition {
  return { type: 'Ready', status, ...(heartbeat !== undefined && { lastHeartbeatTime: formatTime(start + heartbeat) }) }
}

function node(...conditions: readonly NodeCondition[]): Node {
  const metadata = { name: 'n', creationTimestamp: formatTime(start) }
  return { metadata, spec: {}, status: { conditions } } as unknown as Node
}

function leaseRenewedAt(renewed: number): Lease {
  return { metadata: { name: 'n' }, spec: { renewTime: formatMicroTime(start + renewed) } } as unknown as Lease
}

function check(
  of: Node,
  elapsed: number,
  { known, lease }: { readonly known?: NodeHealth; readonly lease?: Lease } = {},
) {
  return checkHealth(of, { lease, known, ...at(elapsed), grace, startupGrace: 60_000 })
}

describe('a node', () => {
  test('counts as alive when it is first seen, however old its heartbeat is', () => {
    const { health, conditions } = check(node(ready('True', -3_600_000)), 0)
    assert.equal(health.aliveAt, 1_000_000)
    assert.equal(conditions, undefined)
  })

  test('is alive while its heartbeat time changes', () => {
    const first = check(node(ready('True', 0)), 0)
    const second = check(node(ready('True', 10_000)), 49_000, { known: first.health })
    assert.equal(second.health.aliveAt, 1_049_000)
  })

  test('gets conditions of status Unknown if its heartbeat time stays the same for longer than the grace period', () => {
    const silent = node(ready('True', 0))
    const { health } = check(silent, 0)
    assert.equal(check(silent, grace, { known: health }).conditions, undefined)
    const { conditions, observed, current } = check(silent, grace + 1, { known: health })
    assert.deepEqual([observed, current], ['True', 'Unknown'])
    assert.deepEqual(conditions?.[0], {
      type: 'Ready',
      status: 'Unknown',
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:50Z',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    })
    assert.deepEqual(
      conditions?.map(({ type, reason }) => `${type} ${reason}`),
      [
        'Ready NodeStatusUnknown',
        'MemoryPressure NodeStatusNeverUpdated',
        'DiskPressure NodeStatusNeverUpdated',
        'PIDPressure NodeStatusNeverUpdated',
      ],
    )
  })

  test('is not written again if its conditions are Unknown already', () => {
    const silent = node(ready('Unknown', 0))
    assert.equal(check(silent, 100_000, { known: check(silent, 0).health }).conditions, undefined)
  })

  test('stays without heartbeat if another client sets Ready but not the heartbeat time', () => {
    const known = check(node(ready('True')), 0).health
    const silenced = check(node(ready('True')), 60_000, { known })
    assert.ok(silenced.conditions)
    assert.ok(check(node(ready('True')), 61_000, { known: silenced.health }).conditions)
  })

  test('is alive while its lease is renewed, whatever its status is', () => {
    const silent = node(ready('True', 0))
    const first = check(silent, 0, { lease: leaseRenewedAt(0) })
    const second = check(silent, 49_000, { known: first.health, lease: leaseRenewedAt(40_000) })
    assert.equal(second.health.aliveAt, 1_049_000)
    const third = check(silent, 60_000, { known: second.health, lease: leaseRenewedAt(40_000) })
    assert.equal(third.health.aliveAt, 1_049_000)
  })

  test('that never posted its status has a minute from its creation', () => {
    assert.equal(check(node(), 60_000).conditions, undefined)
    const { conditions, observed, current } = check(node(), 60_001)
    assert.deepEqual([observed, current], ['Unknown', 'Unknown'])
    assert.deepEqual(
      conditions?.map(({ reason, lastHeartbeatTime }) => [reason, lastHeartbeatTime]),
      Array(4).fill(['NodeStatusNeverUpdated', '2026-01-01T00:00:00Z']),
    )
  })

  test('without heartbeat keeps its condition NetworkUnavailable', () => {
    const network: NodeCondition = { type: 'NetworkUnavailable', status: 'False' }
    const known = check(node(network, ready('True', 0)), 0).health
    const { conditions } = check(node(network, ready('True', 0)), 60_000, { known })
    assert.deepEqual(conditions?.[0], network)
  })
})
