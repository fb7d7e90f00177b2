import type { RegistrationOptions } from './node-object.js'
import type { ReservationOptions, ResourceList } from './node-resources.js'

/** Settings of a Node. Times are milliseconds; defaults are upstream's. */
export interface NodeOptions extends RegistrationOptions, ReservationOptions {
  /** `--register-node`: whether the kubelet creates its Node. Defaults to true. */
  readonly isRegistered?: boolean | undefined
  /** Eviction thresholds, which are also reserved: `{ 'nodefs.available': '10%' }`. */
  readonly evictionHard?: ResourceList | undefined
  readonly pressureTransition?: number | undefined
  /** Milliseconds between two status checks (10 s), and between two unconditional updates (5 min). */
  readonly statusUpdate?: number | undefined
  readonly statusReport?: number | undefined
  /** Seconds. Defaults to 40. */
  readonly leaseDuration?: number | undefined
  /** Images in the status. Defaults to 50; negative for all. */
  readonly maxImages?: number | undefined
}
