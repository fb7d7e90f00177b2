import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** An init, main or ephemeral container of a pod's specification. */
export interface PodContainer {
  readonly container: Container
  readonly type: 'init' | 'container' | 'ephemeral'
  /** The path of the container in events: `spec.initContainers{setup}`. */
  readonly fieldPath: string
}

/** Returns all containers of a pod in start order, ephemeral containers last. */
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

/** Formats a pod for messages: `web_default(uid)`. */
export function formatPod({ metadata: { name, namespace, uid } }: Pod): string {
  return `${name}_${namespace}(${uid})`
}

/** Returns `<namespace>/<name>`. Pods that follow each other can share it. */
export function podKey({ metadata: { namespace, name } }: Pod): string {
  return `${namespace}/${name}`
}
