import type { Pod } from '../../api/core/v1/pod.js'
import { isOfRevision } from './daemon-pod.js'
import { type Actions, isAvailableIn } from './decide.js'
import type { Layout, Site } from './layout.js'
import { type UpdateLimits, updateLimits } from './limits.js'

/** The next step of an update. Of pods that are being deleted nothing is expected any more, so that it goes on though nodes are down. */
export function updateStep(layout: Layout): Actions {
  const desired = layout.sites.filter(({ placement }) => placement.shouldRun).length
  const limits = updateLimits(layout.set, desired)
  const occupied = layout.sites.filter(({ placement, pods }) => placement.shouldRun || pods.length > 0)
  return limits.surge === 0
    ? stepWithGaps(layout, occupied, limits)
    : stepWithSurge(layout, occupied, { limits, desired })
}

/** Old pods go, and new ones are made where they were. */
function stepWithGaps(layout: Layout, sites: readonly Site[], { unavailable }: UpdateLimits): Actions {
  const replaceable: Pod[] = []
  const candidates: Pod[] = []
  let gaps = 0
  for (const site of sites) {
    const { newPod, oldPod, isClear } = podsOf(site, layout.hash)
    const only = newPod && oldPod ? undefined : (newPod ?? oldPod)
    const isUp = isClear && only !== undefined && isAvailableIn(layout, only)
    if (!isUp) gaps++
    if (!isClear || !oldPod || newPod) continue
    if (isUp) candidates.push(oldPod)
    else replaceable.push(oldPod) // nothing is lost with it
  }
  return { create: [], remove: [...replaceable, ...candidates.slice(0, Math.max(0, unavailable - gaps))] }
}

/** New pods are made beside old ones, which go when the new ones are available. */
function stepWithSurge(
  layout: Layout,
  sites: readonly Site[],
  { limits, desired }: { readonly limits: UpdateLimits; readonly desired: number },
): Actions {
  const stages = sites.map((site) => ({ site, ...podsOf(site, layout.hash), stage: stageOf(site, layout) }))
  const at = (wanted: Stage) => stages.filter(({ stage }) => stage === wanted)
  const available = stages.filter(({ isClear, oldPod, newPod }) => {
    const first = oldPod ?? newPod
    return isClear && first !== undefined && isAvailableIn(layout, first)
  })
  // Whoever asks for a surge wants no gap: a pod that should be elsewhere goes when enough others are available.
  const spare = Math.max(0, available.length - desired)
  const room = Math.max(0, limits.surge - at('surging').length)
  const remove = [...at('replaced'), ...at('misplaced').slice(0, spare)]
  const create = [...at('down'), ...at('old').slice(0, room)]
  return { create: create.map(({ site }) => site.nodeName), remove: remove.map(({ oldPod }) => oldPod!) }
}

/**
 * How far a node is: it has an `old` pod, which may be `down`; it is `surging` while it has a new one that is not available, and then the
 * old one has been `replaced`. One that should not be there is `misplaced`. Nothing has to be done where all is `settled`.
 */
type Stage = 'settled' | 'surging' | 'replaced' | 'down' | 'old' | 'misplaced'

function stageOf(site: Site, layout: Layout): Stage {
  const { newPod, oldPod, isClear } = podsOf(site, layout.hash)
  if (!isClear) return 'surging'
  if (!oldPod || !site.node) return 'settled'
  if (newPod) return isAvailableIn(layout, newPod) ? 'replaced' : 'surging'
  const isUp = isAvailableIn(layout, oldPod)
  if (!site.placement.shouldRun) return isUp ? 'misplaced' : 'replaced'
  return isUp ? 'old' : 'down'
}

interface OldAndNew {
  readonly newPod?: Pod | undefined
  readonly oldPod?: Pod | undefined
  /** There is at most one of each; otherwise the superfluous go first. */
  readonly isClear: boolean
}

function podsOf({ pods }: Site, hash: string): OldAndNew {
  const there = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const newPods = there.filter((pod) => isOfRevision(pod, hash))
  const oldPods = there.filter((pod) => !isOfRevision(pod, hash))
  return { newPod: newPods[0], oldPod: oldPods[0], isClear: newPods.length < 2 && oldPods.length < 2 }
}
