import type { ClusterEvent } from '../framework/cluster-event.js'
import type { QueuedPod } from './queued-pod.js'
import type { QueueingHints } from './queueing-hints.js'

/** Pods that no node would take, or that a PreEnqueue plugin rejects. They wait for an event that can help them. */
export class UnschedulablePods {
  readonly #hints: QueueingHints
  readonly #pods = new Set<QueuedPod>()
  /** By the plugin that rejected them; '' for pods that none rejected. No entry is empty. */
  readonly #byPlugin = new Map<string, Set<QueuedPod>>()

  constructor(hints: QueueingHints) {
    this.#hints = hints
  }

  get size(): number {
    return this.#pods.size
  }

  [Symbol.iterator](): Iterator<QueuedPod> {
    return this.#pods.values()
  }

  /** Its `unschedulablePlugins` must not change before it is removed. */
  add(pod: QueuedPod): void {
    this.#pods.add(pod)
    for (const plugin of pluginKeys(pod)) this.#podsOf(plugin).add(pod)
  }

  remove(pod: QueuedPod): void {
    if (!this.#pods.delete(pod)) return
    for (const plugin of pluginKeys(pod)) {
      const pods = this.#byPlugin.get(plugin)
      if (pods?.delete(pod) && pods.size === 0) this.#byPlugin.delete(plugin)
    }
  }

  /** The pods that the event can help. */
  helpedBy(event: ClusterEvent): readonly QueuedPod[] {
    const helped = new Set<QueuedPod>()
    for (const [plugin, pods] of this.#byPlugin) {
      if (plugin !== '' && !this.#hints.concerns(plugin, event)) continue
      for (const pod of pods) if (!helped.has(pod) && this.#hints.isHelpful(pod, event)) helped.add(pod)
    }
    return [...helped]
  }

  #podsOf(plugin: string): Set<QueuedPod> {
    let pods = this.#byPlugin.get(plugin)
    if (!pods) {
      pods = new Set()
      this.#byPlugin.set(plugin, pods)
    }
    return pods
  }
}

const noPlugin: readonly string[] = ['']

function pluginKeys({ unschedulablePlugins }: QueuedPod): Iterable<string> {
  return unschedulablePlugins.size === 0 ? noPlugin : unschedulablePlugins
}
