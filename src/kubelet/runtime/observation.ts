import type { CriContainer, CriContainerState, CriContainerStatus } from '../../cri/interface/container.js'
import type { PodSandbox, PodSandboxStatus } from '../../cri/interface/sandbox.js'
import {
  containerNameLabel,
  parseContainerAnnotations,
  podNameLabel,
  podNamespaceLabel,
  podUidLabel,
} from './labels.js'
import type { ObservedContainer, ObservedPod, ObservedSandbox } from './observed-pod.js'

/** The sandboxes and containers of one pod, as the runtime lists them. */
export interface ListedPod {
  readonly uid: string
  readonly sandboxes: readonly PodSandbox[]
  readonly containers: readonly CriContainer[]
}

/** Groups sandboxes and containers by pod uid. Ignores those without one: they are not the kubelet's. */
export function groupByPod(
  sandboxes: readonly PodSandbox[],
  containers: readonly CriContainer[],
): Map<string, ListedPod> {
  const pods = new Map<string, { uid: string; sandboxes: PodSandbox[]; containers: CriContainer[] }>()
  const podOf = (uid: string) => {
    const known = pods.get(uid)
    if (known) return known
    const pod = { uid, sandboxes: [], containers: [] }
    pods.set(uid, pod)
    return pod
  }
  for (const sandbox of sandboxes) {
    const uid = sandbox.metadata?.uid || sandbox.labels[podUidLabel]
    if (uid) podOf(uid).sandboxes.push(sandbox)
  }
  for (const container of containers) {
    const uid = container.labels[podUidLabel]
    if (uid) podOf(uid).containers.push(container)
  }
  return pods
}

const states: Readonly<Record<CriContainerState, ObservedContainer['state']>> = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
}

export function observedContainer(sandboxId: string, status: CriContainerStatus, message: string): ObservedContainer {
  const notes = parseContainerAnnotations(status.annotations)
  return {
    id: status.id,
    name: status.labels[containerNameLabel] ?? status.metadata?.name ?? '',
    sandboxId,
    state: states[status.state],
    createdAt: milliseconds(status.createdAt),
    startedAt: milliseconds(status.startedAt),
    finishedAt: milliseconds(status.finishedAt),
    exitCode: status.exitCode,
    reason: status.reason,
    message: [status.message, message].filter((part) => part !== '').join(': '),
    image: status.image?.image ?? '',
    imageId: status.imageRef,
    restartCount: notes.restartCount,
    specificationHash: notes.hash,
    logPath: status.logPath,
    resources: status.resources,
    user: status.user,
    stopSignal: status.stopSignal === 'RUNTIME_DEFAULT' ? undefined : status.stopSignal,
  }
}

export function observedSandbox(status: PodSandboxStatus): ObservedSandbox {
  const hasHostNetwork = status.linux?.namespaces?.options?.network === 'NODE'
  const { ip = '', additionalIps = [] } = status.network ?? {}
  const addresses = [ip, ...additionalIps.map((one) => one.ip)].filter((address) => address !== '')
  return {
    id: status.id,
    state: status.state === 'SANDBOX_READY' ? 'ready' : 'notReady',
    attempt: status.metadata?.attempt ?? 0,
    createdAt: milliseconds(status.createdAt),
    addresses: hasHostNetwork ? [] : addresses,
    hasHostNetwork,
  }
}

export function observedPod(
  { uid, sandboxes: [sandbox], containers: [container] }: ListedPod,
  seen: { readonly sandboxes: readonly ObservedSandbox[]; readonly containers: readonly ObservedContainer[] },
): ObservedPod {
  const labels = container?.labels ?? {}
  return {
    uid,
    name: sandbox?.metadata?.name ?? labels[podNameLabel] ?? '',
    namespace: sandbox?.metadata?.namespace ?? labels[podNamespaceLabel] ?? '',
    sandboxes: seen.sandboxes.toSorted((one, other) => other.createdAt - one.createdAt || other.attempt - one.attempt),
    containers: seen.containers.toSorted(
      (one, other) => other.createdAt - one.createdAt || other.restartCount - one.restartCount,
    ),
  }
}

export function emptyPod(uid: string): ObservedPod {
  return { uid, name: '', namespace: '', sandboxes: [], containers: [] }
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n)
}
