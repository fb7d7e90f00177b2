import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'

/** Makes images available on this node. */
export interface Images {
  /**
   * Returns the image of a container according to its pull policy. Records events (Pulling, Pulled, Failed, BackOff). Rejects with a
   * `ContainerError` with the reason ErrImagePull, ImagePullBackOff, ErrImageNeverPull, InvalidImageName, ImageInspectError …
   */
  ensure(request: ImageRequest): Promise<PresentImage>
}

export interface ImageRequest {
  readonly pod: Pod
  readonly container: Container
  readonly sandbox: PartialMessage<PodSandboxConfig>
  /** `spec.containers{web}` */
  readonly fieldPath: string
  readonly signal?: AbortSignal
}

export interface PresentImage {
  /** The runtime's id of the image. */
  readonly ref: string
  /** The user of the image: a number or a name. */
  readonly uid: number | undefined
  readonly username: string
}
