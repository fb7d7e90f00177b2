import type { Environment } from '../base/environment.js'
import type { Transport } from '../client/transport.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import type { ContainerSettings } from './containers/container-config-dependencies.js'
import type { CpuSettings } from './cpus/cpu-policy.js'
import type { ImageGarbageCollectionPolicy } from './images/image-garbage-collector.js'
import type { PullOptions } from './images/pulls.js'
import type { KubeletSyncOptions } from './kubelet.js'
import type { LogRotationDependencies } from './logs/log-rotation.js'
import type { NodeIdentity } from './node/node-identity.js'
import type { NodeOptions } from './node/node-options.js'
import type { NodePlatform } from './platform.js'
import type { KubeletServerOptions } from './server/kubelet-server.js'

/** What `runNode` needs to run one node. */
export interface NodeDependencies {
  readonly environment: Environment
  /** Authenticates as `system:node:<name>`. Closed with the node. */
  readonly transport: Transport
  readonly runtime: ContainerRuntime
  readonly identity: NodeIdentity
  readonly platform: NodePlatform
  /** `v1.36.4+proa-0.1.0` */
  readonly version: string
  readonly options?: NodeSettings
}

/** The settings that a user may choose. Defaults are upstream's. */
export interface NodeSettings {
  readonly node?: NodeOptions
  readonly kubelet?: KubeletSyncOptions
  readonly containers?: Partial<ContainerSettings>
  readonly cpus?: CpuSettings
  readonly pulls?: PullOptions
  readonly images?: ImageGarbageCollectionPolicy
  /** Path of a folder, or of one file, with manifests of static pods. */
  readonly manifests?: string | undefined
  /** When container logs are rotated, and how many files are kept. */
  readonly logs?: Pick<LogRotationDependencies, 'maxSize' | 'maxFiles' | 'interval'>
  readonly unsafeSysctls?: readonly string[]
  /** If undefined, the kubelet serves no API. */
  readonly server?: KubeletServerOptions
}
