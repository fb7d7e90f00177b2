import type { Container } from '../../../api/core/v1/container.js'
import {
  allContainers,
  type CheckedPod,
  containersText,
  plural,
  quotedList,
  sortedDistinct,
  type Violation,
} from './check.js'

/** A probe or hook that connects to a host. */
interface NetworkAction {
  readonly httpGet?: { readonly host?: string }
  readonly tcpSocket?: { readonly host?: string }
}

/** Rejects probes and hooks that make the kubelet connect to other hosts than the pod. */
export function hostProbes({ spec }: CheckedPod): Violation | undefined {
  const bad = allContainers(spec).filter((container) => hostsOf(container).length > 0)
  if (bad.length === 0) return undefined
  const names = sortedDistinct(bad.map(({ name }) => name))
  const hosts = sortedDistinct(bad.flatMap(hostsOf))
  const what = `${plural(hosts, 'probe or lifecycle host', 'probe or lifecycle hosts')} ${quotedList(hosts)}`
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersText(names)} ${plural(names, 'uses', 'use')} ${what}`,
  }
}

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): readonly string[] {
  const actions: readonly (NetworkAction | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ]
  return actions.flatMap((one) => [one?.httpGet?.host ?? '', one?.tcpSocket?.host ?? '']).filter((host) => host !== '')
}
