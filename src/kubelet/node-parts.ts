import type { Environment } from '../base/environment.js'
import type { Transport } from '../client/transport.js'
import type { PodNetwork } from '../cni/pod-network.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import type { CpuSettings } from './cgroups/cpu-policy.js'
import type { PodCgroupParts } from './cgroups/kubelet-cgroups.js'
import type { ContainerSettings } from './containers/container-config-parts.js'
import type { Machine as ContainerMachine } from './containers/machine.js'
import type { CollectionPolicy } from './images/image-collection.js'
import type { PullOptions } from './images/pulls.js'
import type { KubeletOptions } from './kubelet.js'
import type { LogRotationParts } from './logs/log-rotation.js'
import type { Machine } from './node/machine.js'
import type { NodeIdentity } from './node/node-identity.js'
import type { NodeOptions } from './node/node-options.js'
import type { KubeletServerOptions } from './server/kubelet-server.js'
import type { Mounts } from './volumes/mounts.js'

/** What a node is made of, and what it is made on. */
export interface NodeParts {
  readonly environment: Environment
  /** Of `system:node:<name>`. Closed with the node. */
  readonly transport: Transport
  readonly runtime: ContainerRuntime
  readonly identity: NodeIdentity
  readonly ground: Ground
  /** `v1.36.4+proa-0.1.0` */
  readonly version: string
  readonly options?: NodeSettings
}

/** Where a node stands: on a machine with a kernel, or on nothing at all. */
export interface Ground {
  readonly machine: Machine
  readonly containers: ContainerMachine
  /** None where nothing runs for real. */
  readonly cgroups: Omit<PodCgroupParts, 'environment'> | undefined
  readonly mounts: Mounts
  /** Undefined where the runtime's network is somebody else's business. */
  readonly network: PodNetwork | undefined
  readonly hasAppArmor: boolean
}

/** What a user can say. What is left out is as upstream has it. */
export interface NodeSettings {
  readonly node?: NodeOptions
  readonly kubelet?: KubeletOptions
  readonly containers?: Partial<ContainerSettings>
  readonly cpus?: CpuSettings
  readonly pulls?: PullOptions
  readonly images?: CollectionPolicy
  /** A folder with static pods. */
  readonly manifests?: string | undefined
  /** When logs are moved away, and how many are kept. */
  readonly logs?: Pick<LogRotationParts, 'maxSize' | 'maxFiles' | 'interval'>
  readonly unsafeSysctls?: readonly string[]
  /** Without it, the kubelet has no API of its own. */
  readonly server?: KubeletServerOptions
}
