import type { EventRecorder } from '../../client/events/event-recorder.js'

/** What happens to a node, told as Events about it. */
export class NodeEvents {
  readonly #events: EventRecorder
  readonly #name: string

  constructor(events: EventRecorder, name: string) {
    this.#events = events
    this.#name = name
  }

  /** Events about nodes name the node in place of its uid: they begin before it has one, and clients look for both. */
  get about() {
    return { apiVersion: 'v1', kind: 'Node', metadata: { name: this.#name, uid: this.#name } }
  }

  starting(): void {
    this.#tell('Normal', 'Starting', 'Starting kubelet.')
  }

  /** `NodeReady`, `NodeHasSufficientMemory`, `NodeNotSchedulable` … */
  statusChanged(state: string): void {
    this.#tell('Normal', state, `Node ${this.#name} status is now: ${state}`)
  }

  rebooted(bootId: string): void {
    this.#tell('Warning', 'Rebooted', `Node ${this.#name} has been rebooted, boot id: ${bootId}`)
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.record({ about: this.about, type, reason, message })
  }
}
