import type { Node } from '../../api/core/v1/node.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'

const annotation = 'scheduler.alpha.kubernetes.io/preferAvoidPods'

/** The relevant part of the annotation. */
interface AvoidPods {
  readonly preferAvoidPods?: readonly AvoidEntry[]
}

interface AvoidEntry {
  readonly podSignature?: { readonly podController?: { readonly kind?: string; readonly uid?: string } }
}

/** A node whose annotation names the controller of the pod scores lowest. */
export function preferAvoidPods(): SchedulerPlugin {
  return {
    name: 'NodePreferAvoidPods',
    preScore({ pod }) {
      const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)
      if (!owner || (owner.kind !== 'ReplicationController' && owner.kind !== 'ReplicaSet')) return undefined
      const namesOwner = ({ podSignature }: AvoidEntry) =>
        podSignature?.podController?.kind === owner.kind && podSignature.podController.uid === owner.uid
      return { score: ({ node }) => (avoidEntries(node).some(namesOwner) ? 0 : maxNodeScore) }
    },
  }
}

/** An annotation that is not valid JSON counts as absent. */
function avoidEntries({ metadata: { annotations = {} } }: Node): readonly AvoidEntry[] {
  const text = annotations[annotation]
  if (text === undefined) return []
  try {
    const { preferAvoidPods: entries = [] } = (JSON.parse(text) ?? {}) as AvoidPods
    return Array.isArray(entries) ? entries : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
