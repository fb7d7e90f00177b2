import type { Metrics } from '../../base/metrics.js'
import type { ReadyStatuses } from './zones.js'

/** Metrics of zones, under upstream's names. */
export interface ZoneMetrics {
  seen(zone: string, statuses: ReadyStatuses): void
  evicted(zone: string): void
}

const known = new WeakMap<Metrics, ZoneMetrics>()

export function zoneMetrics(metrics: Metrics): ZoneMetrics {
  const found = known.get(metrics) ?? newZoneMetrics(metrics)
  known.set(metrics, found)
  return found
}

function newZoneMetrics(metrics: Metrics): ZoneMetrics {
  const labels = ['zone'] as const
  const gauge = (name: string, help: string) => metrics.gauge({ name: `node_collector_${name}`, help, labels })
  const size = gauge('zone_size', 'Nodes in a zone.')
  const health = gauge('zone_health', 'Percentage of the nodes in a zone that are ready.')
  const unhealthy = gauge('unhealthy_nodes_in_zone', 'Nodes in a zone that are not ready.')
  const evictions = metrics.counter({
    name: 'node_collector_evictions_total',
    help: 'Nodes whose pods were evicted.',
    labels,
  })
  return {
    seen(zone, statuses) {
      const ready = statuses.filter((status) => status === 'True').length
      size.labels(zone).set(statuses.length)
      health.labels(zone).set(statuses.length === 0 ? 100 : (100 * ready) / statuses.length)
      unhealthy.labels(zone).set(statuses.length - ready)
    },
    evicted: (zone) => evictions.labels(zone).inc(),
  }
}
