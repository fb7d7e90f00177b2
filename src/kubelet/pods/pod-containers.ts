import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** A container as a pod's specification has it, whatever its sort. */
export interface PodContainer {
  readonly container: Container
  readonly type: 'init' | 'container' | 'ephemeral'
  /** Where it stands in the specification, as events name it: `spec.initContainers{setup}`. */
  readonly fieldPath: string
}

/** In the order in which they start; ephemeral ones last. */
export function containersOf({ spec }: Pod): readonly PodContainer[] {
  return [
    ...(spec?.initContainers ?? []).map((container) => sorted(container, 'init', 'initContainers')),
    ...(spec?.containers ?? []).map((container) => sorted(container, 'container', 'containers')),
    ...(spec?.ephemeralContainers ?? []).map((container) => sorted(container, 'ephemeral', 'ephemeralContainers')),
  ]
}

function sorted(container: Container, type: PodContainer['type'], list: string): PodContainer {
  return { container, type, fieldPath: `spec.${list}{${container.name}}` }
}

/** An init container that goes on running beside the others. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always'
}

/** As messages name a pod: `web_default(uid)`. */
export function describePod({ metadata: { name, namespace, uid } }: Pod): string {
  return `${name}_${namespace}(${uid})`
}
