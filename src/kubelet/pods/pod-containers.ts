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
export function podContainers({ spec }: Pod): readonly PodContainer[] {
  return [
    ...(spec?.initContainers ?? []).map((container) => podContainer(container, 'init', 'initContainers')),
    ...(spec?.containers ?? []).map((container) => podContainer(container, 'container', 'containers')),
    ...(spec?.ephemeralContainers ?? []).map((container) =>
      podContainer(container, 'ephemeral', 'ephemeralContainers'),
    ),
  ]
}

function podContainer(container: Container, type: PodContainer['type'], list: string): PodContainer {
  return { container, type, fieldPath: `spec.${list}{${container.name}}` }
}

/** As messages name a pod: `web_default(uid)`. */
export function formatPod({ metadata: { name, namespace, uid } }: Pod): string {
  return `${name}_${namespace}(${uid})`
}

/** By which people know a pod: another one may have had it before. */
export function podKey({ metadata: { namespace, name } }: Pod): string {
  return `${namespace}/${name}`
}
