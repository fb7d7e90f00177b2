/** The contract between a controller and the runtime that drives it. */
import type { Environment } from '../../base/environment.js'
import type { TraceStep } from '../../base/tracing.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { Change, Informer, SharedInformers } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import type { Transport } from '../../client/transport.js'

/** A control loop: watches objects and acts until the cluster is as they ask. */
export interface Controller {
  readonly name: string
  start(dependencies: ControllerDependencies): RunningController
}

export interface ControllerDependencies {
  readonly environment: Environment
  /** Carries the controller's requests, under its own identity. */
  readonly transport: Transport
  /** Shared with the other controllers. */
  readonly informers: SharedInformers
  readonly events: EventRecorder
}

export interface RunningController {
  /** Starts no further reconcile, and resolves when those that run have ended. */
  close(): Promise<void>
}

/** What a controller has at hand while it reconciles one key. */
export interface ReconcileContext {
  /** The runtime reconciles the same key again only when the informers show what was written through this client. */
  readonly client: Client
  readonly informers: SharedInformers
  readonly events: EventRecorder
  readonly environment: Environment
  /** Aborted when the controller stops. */
  readonly signal: AbortSignal
  /** Adds another key to the queue. Works as long as the controller runs, also after this reconcile. */
  readonly enqueue: (key: string) => void
}

export interface ReconcileResult {
  /** Milliseconds after which the key is reconciled again, even if nothing changes. */
  readonly requeueAfter?: number
  /** Replaces the default trace step, where the key does not name the object or the number of writes says too little. */
  readonly trace?: Pick<TraceStep, 'subject' | 'decision' | 'reason'>
}

/** Brings what is behind a key closer to what was asked for. It may be called at any time and any number of times. */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | undefined> | Promise<void>

/** A reconcile in three steps, so that all decisions are made in one pure function. */
export interface ReconcileSteps<Observation, Decision> {
  /** Reads what the decision depends on. Undefined: there is nothing to decide. */
  observe(key: string, context: ReconcileContext): Promise<Observation | undefined>
  /** Says what to do, as data. A pure function: the same observation leads to the same decision. Undefined: there is nothing to do. */
  decide(observation: NoInfer<Observation>): Decision | undefined
  /** Does it. */
  act(
    decision: NoInfer<Decision>,
    observation: NoInfer<Observation>,
    context: ReconcileContext,
  ): Promise<ActResult<NoInfer<Observation>> | undefined> | Promise<void>
}

export interface ActResult<Observation> extends ReconcileResult {
  /** What is known after the writes, where the next decision depends on their results: `decide` is called again with it. */
  readonly observation?: Observation
}

export function reconcileInSteps<Observation, Decision>(
  steps: ReconcileSteps<Observation, Decision>,
): (key: string, context: ReconcileContext) => Promise<ReconcileResult | undefined> {
  return async (key, context) => {
    let observation: Observation | undefined = await steps.observe(key, context)
    while (observation !== undefined) {
      const decision = steps.decide(observation)
      if (decision === undefined) return undefined
      const result = (await steps.act(decision, observation, context)) ?? undefined
      if (result?.observation === undefined) return result
      observation = result.observation
    }
    return undefined
  }
}

/** Which keys to reconcile when an object changes. */
export type KeyMapper<T> = (change: Change<T>, informers: SharedInformers) => Iterable<string>

export interface WatchedKind {
  readonly place: ResourceLocation
  readonly informer: (informers: SharedInformers) => Informer
  readonly keysOf: KeyMapper<AnyObject>
}

/** What `ControllerBuilder` collects. */
export interface ReconcilerOptions {
  readonly name: string
  /** The label of its work queue in metrics. */
  readonly queue: string
  readonly watched: readonly WatchedKind[]
  readonly reconcile: Reconcile
  readonly workers: number
  /** Reconciled at the start, whatever the cluster contains. */
  readonly initialKeys: readonly string[]
}
