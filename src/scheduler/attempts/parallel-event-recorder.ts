import type { EventSource } from '../../api/core/v1/event.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder, Occurrence } from '../../client/events/event-recorder.js'
import { eventRecorder, type RunningEventRecorder } from '../../client/events/recorder.js'

/** How many Events are written concurrently. */
const recorderCount = 16

/** Spreads Events over several recorders, because pods are scheduled faster than one recorder writes. Events of one pod stay in order. */
export class ParallelEventRecorder implements EventRecorder {
  readonly #recorders: readonly RunningEventRecorder[]

  constructor(client: Client, source: EventSource, environment: Environment) {
    this.#recorders = Array.from({ length: recorderCount }, () => eventRecorder(client, source, environment))
  }

  record(occurrence: Occurrence): void {
    this.#recorders[recorderIndex(occurrence.about.metadata.uid ?? '')]!.record(occurrence)
  }

  async close(): Promise<void> {
    await Promise.all(this.#recorders.map((recorder) => recorder.close()))
  }
}

function recorderIndex(uid: string): number {
  let sum = 0
  for (let i = 0; i < uid.length; i++) sum += uid.charCodeAt(i)
  return sum % recorderCount
}
