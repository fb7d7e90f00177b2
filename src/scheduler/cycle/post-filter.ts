import type { PostFilterContext, PostFilterResult } from '../framework/plugin.js'
import type { SchedulerProfile } from '../framework/profile.js'

/** Where there is nobody to ask, room that was kept for the pod is given up. */
const nobody: PostFilterResult = { message: '', nominatedNode: '' }

/** Asks who could make room, in order. The first who can is listened to; if none can, it is told what each of them says. */
export async function runPostFilterPlugins(
  { postFilter }: SchedulerProfile,
  failed: PostFilterContext,
): Promise<PostFilterResult> {
  if (failed.decision.nodeCount === 0 || postFilter.length === 0) return nobody
  const messages: string[] = []
  let nominatedNode: string | undefined
  for (const plugin of postFilter) {
    const rescue = await plugin.postFilter?.(failed)
    if (!rescue) continue
    if (rescue.nominatedNode) return rescue
    nominatedNode = rescue.nominatedNode ?? nominatedNode
    if (rescue.message !== '') messages.push(rescue.message)
  }
  return { message: messages.join(', '), ...(nominatedNode !== undefined && { nominatedNode }) }
}
