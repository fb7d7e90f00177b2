import type { EventRecorder } from '../../client/events/event-recorder.js'

/** Records events about a node. */
export class NodeEvents {
  readonly #events: EventRecorder
  readonly #name: string

  constructor(events: EventRecorder, name: string) {
    this.#events = events
    this.#name = name
  }

  /** Events about nodes have the node name as uid, because they begin before the Node exists. Clients search for both. */
  get about() {
    return { apiVersion: 'v1', kind: 'Node', metadata: { name: this.#name, uid: this.#name } }
  }

  starting(): void {
    this.#record('Normal', 'Starting', 'Starting kubelet.')
  }

  /** Records a change to `NodeReady`, `NodeHasSufficientMemory`, `NodeNotSchedulable` … */
  statusChanged(state: string): void {
    this.#record('Normal', state, `Node ${this.#name} status is now: ${state}`)
  }

  rebooted(bootId: string): void {
    this.#record('Warning', 'Rebooted', `Node ${this.#name} has been rebooted, boot id: ${bootId}`)
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.record({ about: this.about, type, reason, message })
  }
}
