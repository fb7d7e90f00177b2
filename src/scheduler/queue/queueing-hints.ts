import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterEvent, EventAction, EventResource, QueueingHint } from '../framework/cluster-event.js'
import { pluginsOf, type SchedulerProfile } from '../framework/profile.js'
import type { QueuedPod } from './queued-pod.js'

/** Which plugins of which profiles an event could matter to, found without asking those that it cannot. */
export class QueueingHints {
  /** By scheduler name, then by plugin. A plugin that does not say what interests it is left out: anything does. */
  readonly #interests = new Map<string, Map<string, readonly QueueingHint[]>>()
  readonly #report: (error: unknown) => void

  /** @param report is told when a plugin fails to say whether an event matters; it is then taken to */
  constructor(profiles: Iterable<SchedulerProfile>, report: (error: unknown) => void) {
    this.#report = report
    for (const profile of profiles) {
      const byPlugin = new Map<string, readonly QueueingHint[]>()
      for (const { name, queueingHints } of pluginsOf(profile)) if (queueingHints) byPlugin.set(name, queueingHints)
      this.#interests.set(profile.schedulerName, byPlugin)
    }
  }

  /** All resources of which any plugin wants to know. */
  get resources(): ReadonlySet<EventResource> {
    const all = [...this.#interests.values()].flatMap((byPlugin) => [...byPlugin.values()].flat())
    return new Set(all.map(({ resource }) => resource))
  }

  /** Whether pods that this plugin has refused need to be looked at. */
  isInteresting(plugin: string, event: ClusterEvent): boolean {
    for (const byPlugin of this.#interests.values()) {
      const interests = byPlugin.get(plugin)
      if (!interests || interests.some((interest) => isMeant(interest, event))) return true
    }
    return false
  }

  /** Whether the pod should be tried again because of this. */
  couldHelp({ info, unschedulablePlugins }: QueuedPod, event: ClusterEvent): boolean {
    if (event.resource === 'WaitingPod' && event.object.metadata.uid !== info.uid) return false
    if (unschedulablePlugins.size === 0) return true
    const byPlugin = this.#interests.get(info.pod.spec.schedulerName ?? '')
    for (const plugin of unschedulablePlugins) {
      const interests = byPlugin?.get(plugin)
      if (!interests || interests.some((interest) => isMeant(interest, event) && this.#helps(interest, info, event)))
        return true
    }
    return false
  }

  #helps({ isHelpful }: QueueingHint, pod: PodInfo, event: ClusterEvent): boolean {
    try {
      return isHelpful?.(pod, event) ?? true
    } catch (error) {
      this.#report(error)
      return true
    }
  }
}

function isMeant({ resource, actions }: QueueingHint, event: ClusterEvent): boolean {
  return resource === event.resource && event.actions.some((action: EventAction) => actions.includes(action))
}
