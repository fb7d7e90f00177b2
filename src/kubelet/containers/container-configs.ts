import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerConfig } from '../../cri/interface/container.js'
import type { Draft } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import type { PresentImage } from '../images/images.js'
import type { MountedVolumes } from '../volumes/volumes.js'

/** What the runtime is asked for: the whole of a pod's specification, in the runtime's terms. */
export interface ContainerConfigs {
  /** Also makes what a sandbox needs on the host, such as the folder of its logs. Rejects with a `ContainerError`. */
  sandbox(pod: Pod, attempt: number): Promise<Draft<PodSandboxConfig>>
  /** Also makes what the container needs on the host: its termination log, its hosts file, sub-paths. Rejects with a `ContainerError`. */
  container(request: ContainerRequest): Promise<Draft<ContainerConfig>>
}

export interface ContainerRequest {
  readonly pod: Pod
  /** Of whatever sort: an ephemeral container has the same fields. */
  readonly container: Container
  readonly restartCount: number
  readonly image: PresentImage
  readonly volumes: MountedVolumes
  /** As the status of the pod will show them. */
  readonly podAddresses: readonly string[]
  /** Of the container whose processes an ephemeral one wants to see (`targetContainerName`). */
  readonly targetId?: string | undefined
}
