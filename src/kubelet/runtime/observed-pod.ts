import type { ContainerResources } from '../../cri/interface/resources.js'
import type { ContainerUser } from '../../cri/interface/security.js'

/**
 * What the runtime has of one pod, read from the runtime alone: the labels and annotations of `labels.ts` make the kubelet
 * stateless. Times are milliseconds since the epoch; 0 for what has not happened.
 */
export interface ObservedPod {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** The newest first. */
  readonly sandboxes: readonly ObservedSandbox[]
  /** Of every name, dead ones too; the newest first. */
  readonly containers: readonly ObservedContainer[]
}

export interface ObservedSandbox {
  readonly id: string
  readonly state: 'ready' | 'notReady'
  readonly attempt: number
  readonly createdAt: number
  /** None while it has no network of its own. */
  readonly addresses: readonly string[]
  readonly hasHostNetwork: boolean
}

export interface ObservedContainer {
  readonly id: string
  /** As the pod's specification names it, be it an init container, a main or an ephemeral one. */
  readonly name: string
  readonly sandboxId: string
  readonly state: 'created' | 'running' | 'exited' | 'unknown'
  readonly createdAt: number
  readonly startedAt: number
  readonly finishedAt: number
  readonly exitCode: number
  /** `Completed`, `Error`, `OOMKilled`, `StartError`, as the runtime tells it. */
  readonly reason: string
  /** The termination message, read and cut as Kubernetes shows it. */
  readonly message: string
  /** As the status shows it. */
  readonly image: string
  readonly imageId: string
  /** How often a container of this name was started before in this pod. */
  readonly restartCount: number
  /** Of the specification that it was made from: another one means that it has to be made anew. */
  readonly specificationHash: string
  readonly logPath: string
  readonly resources: ContainerResources | undefined
  readonly user: ContainerUser | undefined
  /** SIGTERM and the like, as the runtime knows it; undefined when it does not say. */
  readonly stopSignal: string | undefined
}

/** The newest container of that name; undefined if there is none. */
export function newest({ containers }: ObservedPod, name: string): ObservedContainer | undefined {
  return containers.find((container) => container.name === name)
}

/** The sandbox that is in use: the newest, if it is ready. */
export function readySandbox({ sandboxes: [first] }: ObservedPod): ObservedSandbox | undefined {
  return first?.state === 'ready' ? first : undefined
}
