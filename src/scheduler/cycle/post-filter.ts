import type { PostFilterContext, PostFilterResult } from '../framework/plugin.js'
import type { SchedulerProfile } from '../framework/profile.js'

/** Without PostFilter plugins an earlier nomination of the pod ends. */
const noPlugins: PostFilterResult = { message: '', nominatedNode: '' }

/** Runs the PostFilter plugins until one nominates a node. If none does, the messages of all are combined. */
export async function runPostFilterPlugins(
  { postFilter: plugins }: SchedulerProfile,
  context: PostFilterContext,
): Promise<PostFilterResult> {
  if (context.decision.nodeCount === 0 || plugins.length === 0) return noPlugins
  const messages: string[] = []
  let nominatedNode: string | undefined
  for (const plugin of plugins) {
    const result = await plugin.postFilter?.(context)
    if (!result) continue
    if (result.nominatedNode) return result
    nominatedNode = result.nominatedNode ?? nominatedNode
    if (result.message !== '') messages.push(result.message)
  }
  return { message: messages.join(', '), ...(nominatedNode !== undefined && { nominatedNode }) }
}
