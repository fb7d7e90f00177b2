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

/** Something that may be asked for over the network. */
interface Asked {
  readonly httpGet?: { readonly host?: string }
  readonly tcpSocket?: { readonly host?: string }
}

/** A kubelet must not be sent to other hosts than the pod. */
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
  const asked: readonly (Asked | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ]
  return asked.flatMap((one) => [one?.httpGet?.host ?? '', one?.tcpSocket?.host ?? '']).filter((host) => host !== '')
}
