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

/** The collaborators of a pod sync. */
export interface SyncDependencies {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  readonly view: RuntimeView
  readonly identity: NodeIdentity
  readonly events: EventRecorder
  readonly images: Images
  readonly volumes: Volumes
  readonly cgroups: PodCgroups
  /** Set if the static CPU manager policy is on. */
  readonly cpus?: PodCpus | undefined
  readonly configs: ContainerConfigs
  readonly hooks: Hooks
  readonly prober: Prober
  readonly status: StatusManager
  readonly podStatus: (input: PodStatusInput) => PodStatus
  readonly mirrors: MirrorPods
  /** Returns what keeps a pod from running for now. */
  readonly obstacle: (pod: Pod) => WaitingReason | undefined
  readonly crashLoop: CrashLoopBackoff
  readonly metrics: SyncMetrics
  /** The name that the runtime gives itself, such as `containerd`. */
  readonly runtimeName: () => string
  /** Returns the runtime handler of the pod's RuntimeClass, or '' for the default. */
  readonly runtimeHandler: (pod: Pod) => Promise<string>
}
