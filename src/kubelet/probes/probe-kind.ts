import type { Probe } from '../../api/core/v1/container/probe.js'
import type { Container } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { Pod } from '../../api/core/v1/pod.js'

export const probeKinds = ['startup', 'readiness', 'liveness'] as const
export type ProbeKind = (typeof probeKinds)[number]

/** Names in events and metrics. */
export const probeKindNames: Readonly<Record<ProbeKind, string>> = {
  startup: 'Startup',
  readiness: 'Readiness',
  liveness: 'Liveness',
}

export function probeOf(kind: ProbeKind, container: Container): Probe | undefined {
  const { startupProbe, readinessProbe, livenessProbe } = container
  return { startup: startupProbe, readiness: readinessProbe, liveness: livenessProbe }[kind]
}

/** A container with probes, and its path in the pod. */
export interface ProbedContainer {
  readonly container: Container
  /** `spec.containers{web}` */
  readonly fieldPath: string
}

/** Returns the main containers and sidecars with probes. */
export function probedContainers({ spec: { containers, initContainers = [] } }: Pod): readonly ProbedContainer[] {
  const sidecars = initContainers.filter(isSidecar)
  const placed = (list: readonly Container[], field: string) =>
    list.map((container) => ({ container, fieldPath: `spec.${field}{${container.name}}` }))
  return [...placed(containers, 'containers'), ...placed(sidecars, 'initContainers')].filter(({ container }) =>
    probeKinds.some((kind) => probeOf(kind, container)),
  )
}
