import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { PodCgroups } from '../cgroups/pod-cgroups.js'
import type { ContainerConfigs } from '../containers/container-configs.js'
import type { PodCpus } from '../cpus/pod-cpus.js'
import type { Hooks } from '../hooks/hooks.js'
import type { Images } from '../images/images.js'
import type { NodeIdentity } from '../node/node-identity.js'
import type { Prober } from '../probes/prober.js'
import type { RuntimeView } from '../runtime/runtime-view.js'
import type { MirrorPods } from '../static/static-pods.js'
import type { PodStatusInput, WaitingReason } from '../status/pod-status-input.js'
import type { StatusManager } from '../status/status-manager.js'
import type { Volumes } from '../volumes/volumes.js'
import type { CrashLoopBackoff } from './crash-loop-backoff.js'
import type { SyncMetrics } from './sync-metrics.js'

/** All that has a share in making a pod run. */
export interface SyncDependencies {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  readonly view: RuntimeView
  readonly identity: NodeIdentity
  readonly events: EventRecorder
  readonly images: Images
  readonly volumes: Volumes
  readonly cgroups: PodCgroups
  /** Where whole cores are handed out. */
  readonly cpus?: PodCpus | undefined
  readonly configs: ContainerConfigs
  readonly hooks: Hooks
  readonly prober: Prober
  readonly status: StatusManager
  readonly podStatus: (input: PodStatusInput) => PodStatus
  readonly mirrors: MirrorPods
  /** What keeps a pod from running for now; undefined if nothing does. */
  readonly obstacle: (pod: Pod) => WaitingReason | undefined
  readonly crashLoop: CrashLoopBackoff
  readonly metrics: SyncMetrics
  /** `containerd`, as the runtime calls itself. */
  readonly runtimeName: () => string
  /** What the runtime calls the way in which the pod's runtime class wants it run; '' for the usual one. */
  readonly runtimeHandler: (pod: Pod) => Promise<string>
}
