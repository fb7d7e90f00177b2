import type { FailedDecision, Rescue } from '../framework/plugin.js'
import type { Profile } from '../framework/profile.js'

/** Where there is nobody to ask, room that was kept for the pod is given up. */
const nobody: Rescue = { message: '', nominatedNode: '' }

/** Asks who could make room, in order. The first who can is listened to; if none can, it is told what each of them says. */
export async function rescued({ rescues }: Profile, failed: FailedDecision): Promise<Rescue> {
  if (failed.decision.nodeCount === 0 || rescues.length === 0) return nobody
  const messages: string[] = []
  let nominatedNode: string | undefined
  for (const plugin of rescues) {
    const rescue = await plugin.rescue?.(failed)
    if (!rescue) continue
    if (rescue.nominatedNode) return rescue
    nominatedNode = rescue.nominatedNode ?? nominatedNode
    if (rescue.message !== '') messages.push(rescue.message)
  }
  return { message: messages.join(', '), ...(nominatedNode !== undefined && { nominatedNode }) }
}
