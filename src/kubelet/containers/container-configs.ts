import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerConfig } from '../../cri/interface/container.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import type { PresentImage } from '../images/images.js'
import type { MountedVolumes } from '../volumes/volumes.js'

/** Translates a pod's specification to CRI configurations. */
export interface ContainerConfigs {
  /** Also creates what a sandbox needs on the host, such as its logs folder. Rejects with a `ContainerError`. */
  sandbox(pod: Pod, attempt: number): Promise<PartialMessage<PodSandboxConfig>>
  /** Also creates what a container needs on the host: termination log, hosts file, sub-paths. Rejects with a `ContainerError`. */
  container(request: ContainerRequest): Promise<PartialMessage<ContainerConfig>>
}

export interface ContainerRequest {
  readonly pod: Pod
  /** An init, main or ephemeral container. */
  readonly container: Container
  readonly restartCount: number
  readonly image: PresentImage
  readonly volumes: MountedVolumes
  /** The addresses that the status will show. */
  readonly podAddresses: readonly string[]
  /** Id of the container whose processes an ephemeral container targets (`targetContainerName`). */
  readonly targetId?: string | undefined
}
