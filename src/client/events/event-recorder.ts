import type { AnyObject } from '../resource-client.js'

/** Records what a component did, as Events about an object. `record` neither waits nor throws. */
export interface EventRecorder {
  record(event: Occurrence): void
}

export interface Occurrence {
  readonly about: AnyObject
  /** `spec.containers{web}`, if the event is about a part of the object. */
  readonly fieldPath?: string
  readonly type: 'Normal' | 'Warning'
  /** `SuccessfulCreate` */
  readonly reason: string
  readonly message: string
  readonly annotations?: Readonly<Record<string, string>>
}
