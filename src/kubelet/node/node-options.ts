import type { RegistrationOptions } from './node-object.js'
import type { ReservationOptions, ResourceList } from './node-resources.js'

/** What a user can say about a node. Times are milliseconds; the defaults are upstream's. */
export interface NodeOptions extends RegistrationOptions, ReservationOptions {
  /** `--register-node`: whether it makes its Node itself. True unless told. */
  readonly isRegistered?: boolean | undefined
  /** Below which the node is under pressure, and what is kept back for that: `{ 'nodefs.available': '10%' }`. */
  readonly evictionHard?: ResourceList | undefined
  readonly pressureTransition?: number | undefined
  /** How often it looks whether there is anything to tell (10 s), and how often it tells in any case (5 min). */
  readonly statusUpdate?: number | undefined
  readonly statusReport?: number | undefined
  /** Seconds: 40. */
  readonly leaseDuration?: number | undefined
  /** 50; all of them if negative. */
  readonly maxImages?: number | undefined
}
