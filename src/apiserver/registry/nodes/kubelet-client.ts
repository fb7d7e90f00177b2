import type { Clock } from '../../../base/clock.js'
import {
  type BackendPlace,
  type BackendRequest,
  type BackendResponse,
  type BackendTrust,
  sendTo,
} from '../proxy/backend.js'

/** How this server shows itself to kubelets, and by what it knows them. Without a certificate of ours they will hardly let us in. */
export type KubeletTls = BackendTrust

export interface KubeletRequest extends BackendRequest {
  /** The kubelet's certificate is not looked at, because the client does not want it to be. */
  readonly isCareless?: boolean
}

/** Sends requests to kubelets. */
export class KubeletClient {
  readonly #tls: () => KubeletTls
  readonly #clock: Clock

  constructor(tls: () => KubeletTls, clock: Clock) {
    this.#tls = tls
    this.#clock = clock
  }

  send(place: BackendPlace, { isCareless = false, ...request }: KubeletRequest): Promise<BackendResponse> {
    const { credential, authority } = this.#tls()
    return sendTo(place, request, this.#clock, { credential, authority: isCareless ? undefined : authority })
  }
}
