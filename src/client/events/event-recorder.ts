import type { AnyObject } from '../resource-client.js'

/** Tells people what a component did, as Events beside the object that it is about. Neither waits nor fails: it is no part of the work. */
export interface EventRecorder {
  record(event: Occurrence): void
}

export interface Occurrence {
  readonly about: AnyObject
  /** `spec.containers{web}`, where it is about a part of the object. */
  readonly fieldPath?: string
  readonly type: 'Normal' | 'Warning'
  /** `SuccessfulCreate` */
  readonly reason: string
  readonly message: string
  readonly annotations?: Readonly<Record<string, string>>
}
