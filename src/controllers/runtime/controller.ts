import type { Environment } from '../../base/environment.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import type { Transport } from '../../client/transport.js'

/** A control loop: watches the API and acts until the cluster is as its objects say. */
export interface Controller {
  /** As `--controllers` knows it. */
  readonly name: string
  start(surroundings: ControllerDependencies): RunningController
}

/** What a control loop is given. */
export interface ControllerDependencies {
  readonly environment: Environment
  /** Carries the loop's requests, in its own name. */
  readonly transport: Transport
  /** Shared with the other loops. */
  readonly informers: SharedInformers
  readonly events: EventRecorder
}

export interface RunningController {
  /** Begins nothing more, and resolves when what it has begun has ended. */
  close(): Promise<void>
}
