import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterEvent, EventAction, EventResource, QueueingHint } from '../framework/cluster-event.js'
import { pluginsOf, type SchedulerProfile } from '../framework/profile.js'
import type { QueuedPod } from './queued-pod.js'

/** The queueing hints of all plugins. */
export class QueueingHints {
  /** By scheduler name, then by plugin. A plugin without hints is left out: any event can help its pods. */
  readonly #hints = new Map<string, Map<string, readonly QueueingHint[]>>()
  readonly #report: (error: unknown) => void

  /** @param report receives what a hint throws; the event then counts as helpful */
  constructor(profiles: Iterable<SchedulerProfile>, report: (error: unknown) => void) {
    this.#report = report
    for (const profile of profiles) {
      const byPlugin = new Map<string, readonly QueueingHint[]>()
      for (const { name, queueingHints } of pluginsOf(profile)) if (queueingHints) byPlugin.set(name, queueingHints)
      this.#hints.set(profile.schedulerName, byPlugin)
    }
  }

  /** All resources that have a hint. */
  get resources(): ReadonlySet<EventResource> {
    const all = [...this.#hints.values()].flatMap((byPlugin) => [...byPlugin.values()].flat())
    return new Set(all.map(({ resource }) => resource))
  }

  /** Whether the event can help any pod that this plugin rejected. */
  concerns(plugin: string, event: ClusterEvent): boolean {
    for (const byPlugin of this.#hints.values()) {
      const hints = byPlugin.get(plugin)
      if (!hints || hints.some((hint) => matches(hint, event))) return true
    }
    return false
  }

  /** Whether the pod should be scheduled again because of the event. */
  isHelpful({ info, unschedulablePlugins }: QueuedPod, event: ClusterEvent): boolean {
    if (event.resource === 'UnscheduledPod' && event.object.metadata.uid !== info.uid) return false
    if (unschedulablePlugins.size === 0) return true
    const byPlugin = this.#hints.get(info.pod.spec.schedulerName ?? '')
    for (const plugin of unschedulablePlugins) {
      const hints = byPlugin?.get(plugin)
      if (!hints || hints.some((hint) => matches(hint, event) && this.#evaluate(hint, info, event))) return true
    }
    return false
  }

  #evaluate({ isHelpful }: QueueingHint, pod: PodInfo, event: ClusterEvent): boolean {
    try {
      return isHelpful?.(pod, event) ?? true
    } catch (error) {
      this.#report(error)
      return true
    }
  }
}

function matches({ resource, actions }: QueueingHint, event: ClusterEvent): boolean {
  return resource === event.resource && event.actions.some((action: EventAction) => actions.includes(action))
}
