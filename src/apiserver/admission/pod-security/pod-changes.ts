import type { Container } from '../../../api/core/v1/container.js'
import type { Pod } from '../../../api/core/v1/pod.js'

/** Whether an update of a pod can violate a check: most fields of a pod's spec are immutable. */
export function isSignificant(pod: Pod, old: Pod): boolean {
  if (
    seccomp(pod, 'seccomp.security.alpha.kubernetes.io/pod') !==
    seccomp(old, 'seccomp.security.alpha.kubernetes.io/pod')
  )
    return true
  return (
    someDiffers(pod, old, pod.spec.containers, old.spec.containers) ||
    someDiffers(pod, old, pod.spec.initContainers ?? [], old.spec.initContainers ?? []) ||
    someIsNew(pod, old)
  )
}

function seccomp({ metadata: { annotations = {} } }: Pod, key: string): string | undefined {
  return annotations[key]
}

function someDiffers(pod: Pod, old: Pod, next: readonly Container[], before: readonly Container[]): boolean {
  return next.length !== before.length || next.some((container, i) => differs(pod, old, container, before[i]!))
}

function differs(pod: Pod, old: Pod, next: Container, before: Container): boolean {
  const key = `container.seccomp.security.alpha.kubernetes.io/${next.name}`
  return next.image !== before.image || seccomp(pod, key) !== seccomp(old, key)
}

function someIsNew(pod: Pod, old: Pod): boolean {
  const before = old.spec.ephemeralContainers ?? []
  return (pod.spec.ephemeralContainers ?? []).some((container) => {
    const same = before.find(({ name }) => name === container.name)
    return !same || differs(pod, old, container, same)
  })
}
