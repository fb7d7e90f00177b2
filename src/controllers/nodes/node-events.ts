import type { Node } from '../../api/core/v1/node.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'

/** The node alone is named, not the state that it was in: so what is told again and again counts as the same. */
function referenceTo({ metadata }: Node) {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: metadata.name!, uid: metadata.uid! } }
}

/** Something that happened to the node. */
export function tellOfNode(events: EventRecorder, node: Node, reason: string, what: string): void {
  const message = `Node ${node.metadata.name} event: ${what}`
  events.record({ about: referenceTo(node), type: 'Normal', reason, message })
}

/** What became of the node; the reason says it all. */
export function tellNodeStatus(events: EventRecorder, node: Node, reason: string): void {
  const message = `Node ${node.metadata.name} status is now: ${reason}`
  events.record({ about: referenceTo(node), type: 'Normal', reason, message })
}
