import type { Node } from '../../api/core/v1/node.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'

const annotation = 'scheduler.alpha.kubernetes.io/preferAvoidPods'

/** As much of the annotation as counts. */
interface Avoidance {
  readonly preferAvoidPods?: readonly {
    readonly podSignature?: { readonly podController?: { readonly kind?: string; readonly uid?: string } }
  }[]
}

/** A node can say in an annotation that it would rather not have the pods of some controller. */
export function preferAvoidPods(): SchedulerPlugin {
  return {
    name: 'NodePreferAvoidPods',
    preScore({ pod }) {
      const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)
      if (!owner || (owner.kind !== 'ReplicationController' && owner.kind !== 'ReplicaSet')) return undefined
      const isMeant = ({ podSignature }: NonNullable<Avoidance['preferAvoidPods']>[number]) =>
        podSignature?.podController?.kind === owner.kind && podSignature.podController.uid === owner.uid
      return { score: ({ node }) => (avoidedBy(node).some(isMeant) ? 0 : maxNodeScore) }
    },
  }
}

/** What cannot be read says nothing. */
function avoidedBy({ metadata: { annotations = {} } }: Node): NonNullable<Avoidance['preferAvoidPods']> {
  const text = annotations[annotation]
  if (text === undefined) return []
  try {
    const { preferAvoidPods = [] } = (JSON.parse(text) ?? {}) as Avoidance
    return Array.isArray(preferAvoidPods) ? preferAvoidPods : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
