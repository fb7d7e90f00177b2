import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Draft } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'

/** Sees to it that images are on this node. */
export interface Images {
  /**
   * The container's image by its pull policy. Tells what it does with events (Pulling, Pulled, Failed, BackOff). Rejects with a
   * `ContainerError` whose reason is ErrImagePull, ImagePullBackOff, ErrImageNeverPull, InvalidImageName, ImageInspectError …
   */
  ensure(request: ImageRequest): Promise<PresentImage>
}

export interface ImageRequest {
  readonly pod: Pod
  readonly container: Container
  readonly sandbox: Draft<PodSandboxConfig>
  /** `spec.containers{web}` */
  readonly fieldPath: string
  readonly signal?: AbortSignal
}

export interface PresentImage {
  /** By which the runtime knows it. */
  readonly ref: string
  /** The user that the image itself names: a number, or a name. */
  readonly uid: number | undefined
  readonly username: string
}
