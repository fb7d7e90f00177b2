import type { Node } from '../../api/core/v1/node.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'

/** Records that something happened to the node. */
export function recordNodeEvent(events: EventRecorder, node: Node, reason: string, what: string): void {
  const message = `Node ${node.metadata.name} event: ${what}`
  events.record({ about: referenceTo(node), type: 'Normal', reason, message })
}

/** Records a new state of the node. */
export function recordNodeStatus(events: EventRecorder, node: Node, reason: string): void {
  const message = `Node ${node.metadata.name} status is now: ${reason}`
  events.record({ about: referenceTo(node), type: 'Normal', reason, message })
}

/** Without a resourceVersion, so that repeated events count as the same. */
function referenceTo({ metadata }: Node) {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: metadata.name!, uid: metadata.uid! } }
}
