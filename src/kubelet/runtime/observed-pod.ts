import type { ContainerResources } from '../../cri/interface/resources.js'
import type { CriContainerUser } from '../../cri/interface/security.js'

/**
 * One pod as the runtime has it. Only the runtime is read: labels and annotations (`labels.ts`) make the kubelet stateless. Times are
 * milliseconds since the epoch, or 0 if the event has not happened.
 */
export interface ObservedPod {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** Newest first. */
  readonly sandboxes: readonly ObservedSandbox[]
  /** Containers of all names, exited ones included, newest first. */
  readonly containers: readonly ObservedContainer[]
}

export interface ObservedSandbox {
  readonly id: string
  readonly state: 'ready' | 'notReady'
  readonly attempt: number
  readonly createdAt: number
  /** Empty on the host network, and before the sandbox has an address. */
  readonly addresses: readonly string[]
  readonly hasHostNetwork: boolean
}

export interface ObservedContainer {
  readonly id: string
  /** The name in the pod's specification. */
  readonly name: string
  readonly sandboxId: string
  readonly state: 'created' | 'running' | 'exited' | 'unknown'
  readonly createdAt: number
  readonly startedAt: number
  readonly finishedAt: number
  readonly exitCode: number
  /** The runtime's reason: `Completed`, `Error`, `OOMKilled`, `StartError`. */
  readonly reason: string
  /** The termination message, truncated as Kubernetes shows it. */
  readonly message: string
  /** The image name that the status shows. */
  readonly image: string
  readonly imageId: string
  /** How often a container of this name was started before in this pod. */
  readonly restartCount: number
  /** Hash of the specification that the container was created from. A different hash means that it must be recreated. */
  readonly specificationHash: string
  readonly logPath: string
  readonly resources: ContainerResources | undefined
  readonly user: CriContainerUser | undefined
  /** The signal that stops the container, or undefined if the runtime does not tell it. */
  readonly stopSignal: string | undefined
}

/** Returns the newest container of that name. */
export function newest({ containers }: ObservedPod, name: string): ObservedContainer | undefined {
  return containers.find((container) => container.name === name)
}

/** Returns the sandbox in use: the newest, if it is ready. */
export function readySandbox({ sandboxes: [first] }: ObservedPod): ObservedSandbox | undefined {
  return first?.state === 'ready' ? first : undefined
}
