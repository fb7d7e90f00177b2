import { createHash } from 'node:crypto'
import type { LifecycleHandler } from '../../api/core/v1/container/probe.js'
import type { Container, ContainerPort, TerminationMessagePolicy } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { podContainers } from '../pods/pod-containers.js'

/**
 * Labels and annotations of sandboxes and containers. From them a restarted kubelet learns which pod they belong to, how they were created
 * and how to stop them. The names are Kubernetes', because other programs read them too.
 */
export const podNameLabel = 'io.kubernetes.pod.name'
export const podNamespaceLabel = 'io.kubernetes.pod.namespace'
export const podUidLabel = 'io.kubernetes.pod.uid'
export const containerNameLabel = 'io.kubernetes.container.name'

const hashAnnotation = 'io.kubernetes.container.hash'
const restartCountAnnotation = 'io.kubernetes.container.restartCount'
const messagePathAnnotation = 'io.kubernetes.container.terminationMessagePath'
const messagePolicyAnnotation = 'io.kubernetes.container.terminationMessagePolicy'
const preStopAnnotation = 'io.kubernetes.container.preStopHandler'
const portsAnnotation = 'io.kubernetes.container.ports'
const typeAnnotation = 'io.kubernetes.container.type'
const deletionGraceAnnotation = 'io.kubernetes.pod.deletionGracePeriod'
const terminationGraceAnnotation = 'io.kubernetes.pod.terminationGracePeriod'

export type StringMap = Readonly<Record<string, string>>

export function sandboxLabels({ metadata }: Pod): StringMap {
  const { labels, name = '', namespace = '', uid = '' } = metadata
  return { ...labels, [podNameLabel]: name, [podNamespaceLabel]: namespace, [podUidLabel]: uid }
}

export function sandboxAnnotations({ metadata: { annotations } }: Pod): StringMap {
  return { ...annotations }
}

export function containerLabels(
  { metadata: { name = '', namespace = '', uid = '' } }: Pod,
  container: Container,
): StringMap {
  return {
    [podNameLabel]: name,
    [podNamespaceLabel]: namespace,
    [podUidLabel]: uid,
    [containerNameLabel]: container.name,
  }
}

export function containerAnnotations(pod: Pod, container: Container, restartCount: number): StringMap {
  const { deletionGracePeriodSeconds } = pod.metadata
  const { terminationGracePeriodSeconds } = pod.spec ?? {}
  const { terminationMessagePath = '', terminationMessagePolicy = '', lifecycle, ports = [] } = container
  const { type } = podContainers(pod).find((one) => one.container.name === container.name) ?? { type: 'container' }
  return {
    [hashAnnotation]: specificationHash(container),
    [restartCountAnnotation]: String(restartCount),
    [messagePathAnnotation]: terminationMessagePath,
    [messagePolicyAnnotation]: terminationMessagePolicy,
    [typeAnnotation]: type,
    ...(deletionGracePeriodSeconds !== undefined && { [deletionGraceAnnotation]: String(deletionGracePeriodSeconds) }),
    ...(terminationGracePeriodSeconds !== undefined && {
      [terminationGraceAnnotation]: String(terminationGracePeriodSeconds),
    }),
    ...(lifecycle?.preStop && { [preStopAnnotation]: JSON.stringify(lifecycle.preStop) }),
    ...(ports.length > 0 && { [portsAnnotation]: JSON.stringify(ports) }),
  }
}

/**
 * Hashes what a running container cannot take over from a changed specification: its image. All other fields are immutable or concern no
 * running process.
 */
export function specificationHash({ name, image = '' }: Container): string {
  return createHash('sha256')
    .update(JSON.stringify([name, image]))
    .digest('hex')
    .slice(0, 16)
}

/** Annotations of a container, parsed. Missing ones have their zero value. */
export interface ContainerAnnotations {
  readonly hash: string
  readonly restartCount: number
  readonly terminationMessagePath: string
  readonly terminationMessagePolicy: TerminationMessagePolicy | ''
  /** Seconds. */
  readonly deletionGracePeriod: number | undefined
  readonly terminationGracePeriod: number | undefined
  readonly preStop: LifecycleHandler | undefined
  readonly ports: readonly ContainerPort[]
}

export function parseContainerAnnotations(annotations: StringMap): ContainerAnnotations {
  const number = (name: string) => (annotations[name] === undefined ? undefined : Number(annotations[name]))
  const parsed = (name: string) => (annotations[name] === undefined ? undefined : JSON.parse(annotations[name]))
  return {
    hash: annotations[hashAnnotation] ?? '',
    restartCount: number(restartCountAnnotation) ?? 0,
    terminationMessagePath: annotations[messagePathAnnotation] ?? '',
    terminationMessagePolicy: (annotations[messagePolicyAnnotation] ?? '') as TerminationMessagePolicy | '',
    deletionGracePeriod: number(deletionGraceAnnotation),
    terminationGracePeriod: number(terminationGraceAnnotation),
    preStop: parsed(preStopAnnotation) as LifecycleHandler | undefined,
    ports: (parsed(portsAnnotation) ?? []) as readonly ContainerPort[],
  }
}
