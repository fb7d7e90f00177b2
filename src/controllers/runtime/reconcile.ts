import type { Environment } from '../../base/environment.js'
import type { TraceStep } from '../../base/tracing.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { Change, Informer, SharedInformers } from '../../client/informers/informer.js'
import type { ResourcePlace } from '../../client/place.js'
import type { AnyObject } from '../../client/resource-client.js'

/** What a loop sees while it looks at one key. */
export interface ReconcileContext {
  /** What the loop writes through it, it sees in its informers before it looks at the same key again. */
  readonly client: Client
  readonly informers: SharedInformers
  readonly events: EventRecorder
  readonly environment: Environment
  /** Aborted when the loop is to end. */
  readonly signal: AbortSignal
  /** Another key is to be looked at, too. For as long as the loop lives, also after this look is over. */
  readonly enqueue: (key: string) => void
}

/** Brings what is behind a key closer to what was asked for. It may be called at any time and any number of times. */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | undefined> | Promise<void>

export interface ReconcileResult {
  /** Look again after so many milliseconds, even if nothing changes. */
  readonly requeueAfter?: number
  /** What the story of the object tells of this look, where keys do not name the object or the number of writes says too little. */
  readonly trace?: Pick<TraceStep, 'subject' | 'decision' | 'reason'>
}

/** Which keys a change of some object concerns. */
export type KeyMapper<T> = (change: Change<T>, informers: SharedInformers) => Iterable<string>

export interface WatchedKind {
  readonly place: ResourcePlace
  readonly informer: (informers: SharedInformers) => Informer
  readonly keysOf: KeyMapper<AnyObject>
}

export interface ReconcilerOptions {
  readonly name: string
  readonly watched: readonly WatchedKind[]
  readonly reconcile: Reconcile
  readonly workers: number
  /** Work that is looked for apart from changes: keys to begin with. */
  readonly initialKeys: readonly string[]
}
