import type { Environment } from '../base/environment.js'
import type { Transport } from '../client/transport.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import type { ContainerSettings } from './containers/container-config-dependencies.js'
import type { CpuSettings } from './cpus/cpu-policy.js'
import type { ImageGarbageCollectionPolicy } from './images/image-garbage-collector.js'
import type { PullOptions } from './images/pulls.js'
import type { KubeletOptions } from './kubelet.js'
import type { LogRotationDependencies } from './logs/log-rotation.js'
import type { NodeIdentity } from './node/node-identity.js'
import type { NodeOptions } from './node/node-options.js'
import type { NodePlatform } from './platform.js'
import type { KubeletServerOptions } from './server/kubelet-server.js'

/** What a node is made of, and what it is made on. */
export interface NodeDependencies {
  readonly environment: Environment
  /** Of `system:node:<name>`. Closed with the node. */
  readonly transport: Transport
  readonly runtime: ContainerRuntime
  readonly identity: NodeIdentity
  readonly platform: NodePlatform
  /** `v1.36.4+proa-0.1.0` */
  readonly version: string
  readonly options?: NodeSettings
}

/** What a user can say. What is left out is as upstream has it. */
export interface NodeSettings {
  readonly node?: NodeOptions
  readonly kubelet?: KubeletOptions
  readonly containers?: Partial<ContainerSettings>
  readonly cpus?: CpuSettings
  readonly pulls?: PullOptions
  readonly images?: ImageGarbageCollectionPolicy
  /** A folder with static pods. */
  readonly manifests?: string | undefined
  /** When logs are moved away, and how many are kept. */
  readonly logs?: Pick<LogRotationDependencies, 'maxSize' | 'maxFiles' | 'interval'>
  readonly unsafeSysctls?: readonly string[]
  /** Without it, the kubelet has no API of its own. */
  readonly server?: KubeletServerOptions
}
