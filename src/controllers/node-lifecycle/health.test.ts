import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Lease } from '../../api/coordination/v1/lease.js'
import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import { formatMicroTime, formatTime } from '../../schema/values/time.js'
import { checkHealth, type HealthCheckInput, type NodeHealth } from './health.js'

const start = Date.UTC(2026, 0, 1)
const grace = 50_000

/** So many milliseconds after the start. The monotonic clock began much earlier. */
function at(elapsed: number): HealthCheckInput['clock'] {
  return { now: () => start + elapsed, monotonic: () => 1_000_000 + elapsed }
}

function ready(status: NodeCondition['status'], heartbeat?: number): NodeCondition {
  return { type: 'Ready', status, ...(heartbeat !== undefined && { lastHeartbeatTime: formatTime(start + heartbeat) }) }
}

function node(...conditions: readonly NodeCondition[]): Node {
  const metadata = { name: 'n', creationTimestamp: formatTime(start) }
  return { metadata, spec: {}, status: { conditions } } as unknown as Node
}

function lease(renewed: number): Lease {
  return { metadata: { name: 'n' }, spec: { renewTime: formatMicroTime(start + renewed) } } as unknown as Lease
}

function look(
  of: Node,
  elapsed: number,
  { known, held }: { readonly known?: NodeHealth; readonly held?: Lease | undefined } = {},
) {
  return checkHealth(of, { lease: held, known, clock: at(elapsed), grace, startupGrace: 60_000 })
}

describe('a node', () => {
  test('that is seen for the first time has just been heard of, however old its heartbeat', () => {
    const { health, conditions } = look(node(ready('True', -3_600_000)), 0)
    assert.equal(health.aliveAt, 1_000_000)
    assert.equal(conditions, undefined)
  })

  test('is alive as long as its heartbeat changes', () => {
    const first = look(node(ready('True', 0)), 0)
    const second = look(node(ready('True', 10_000)), 49_000, { known: first.health })
    assert.equal(second.health.aliveAt, 1_049_000)
  })

  test('is silent when its heartbeat does not change for longer than its grace', () => {
    const silent = node(ready('True', 0))
    const { health } = look(silent, 0)
    assert.equal(look(silent, grace, { known: health }).conditions, undefined)
    const { conditions, observed, current } = look(silent, grace + 1, { known: health })
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

  test('of which it is known already that it is silent is not written again', () => {
    const silent = node(ready('Unknown', 0))
    assert.equal(look(silent, 100_000, { known: look(silent, 0).health }).conditions, undefined)
  })

  test('that is said to be ready, by whomever, without a new heartbeat is still silent', () => {
    const known = look(node(ready('True')), 0).health
    const silenced = look(node(ready('True')), 60_000, { known })
    assert.ok(silenced.conditions)
    assert.ok(look(node(ready('True')), 61_000, { known: silenced.health }).conditions)
  })

  test('whose lease is renewed is alive, whatever its status says', () => {
    const silent = node(ready('True', 0))
    const first = look(silent, 0, { held: lease(0) })
    const second = look(silent, 49_000, { known: first.health, held: lease(40_000) })
    assert.equal(second.health.aliveAt, 1_049_000)
    const third = look(silent, 60_000, { known: second.health, held: lease(40_000) })
    assert.equal(third.health.aliveAt, 1_049_000)
  })

  test('that never said anything has a minute from when it was made', () => {
    assert.equal(look(node(), 60_000).conditions, undefined)
    const { conditions, observed, current } = look(node(), 60_001)
    assert.deepEqual([observed, current], ['Unknown', 'Unknown'])
    assert.deepEqual(
      conditions?.map(({ reason, lastHeartbeatTime }) => [reason, lastHeartbeatTime]),
      Array(4).fill(['NodeStatusNeverUpdated', '2026-01-01T00:00:00Z']),
    )
  })

  test('that is silent keeps what others say of its network', () => {
    const network: NodeCondition = { type: 'NetworkUnavailable', status: 'False' }
    const known = look(node(network, ready('True', 0)), 0).health
    const { conditions } = look(node(network, ready('True', 0)), 60_000, { known })
    assert.deepEqual(conditions?.[0], network)
  })
})
