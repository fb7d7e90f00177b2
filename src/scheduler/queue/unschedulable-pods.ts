import type { ClusterEvent } from '../framework/cluster-event.js'
import type { QueuedPod } from './queued-pod.js'
import type { QueueingHints } from './queueing-hints.js'

/** Pods that no node would take, or that must not be tried yet. They wait for something to happen that could help them. */
export class UnschedulablePods {
  readonly #hints: QueueingHints
  readonly #pods = new Set<QueuedPod>()
  /** By the plugin that refused them. Those that none refused are under ''. No entry is empty. */
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

  /** While it is in here, what it was refused by does not change. */
  add(pod: QueuedPod): void {
    this.#pods.add(pod)
    for (const plugin of filesOf(pod)) this.#file(plugin).add(pod)
  }

  remove(pod: QueuedPod): void {
    if (!this.#pods.delete(pod)) return
    for (const plugin of filesOf(pod)) {
      const file = this.#byPlugin.get(plugin)
      if (file?.delete(pod) && file.size === 0) this.#byPlugin.delete(plugin)
    }
  }

  /** Those that this could help. */
  helpedBy(event: ClusterEvent): readonly QueuedPod[] {
    const helped = new Set<QueuedPod>()
    for (const [plugin, pods] of this.#byPlugin) {
      if (plugin !== '' && !this.#hints.isInteresting(plugin, event)) continue
      for (const pod of pods) if (!helped.has(pod) && this.#hints.couldHelp(pod, event)) helped.add(pod)
    }
    return [...helped]
  }

  #file(plugin: string): Set<QueuedPod> {
    let file = this.#byPlugin.get(plugin)
    if (!file) {
      file = new Set()
      this.#byPlugin.set(plugin, file)
    }
    return file
  }
}

const unfiled: readonly string[] = ['']

function filesOf({ unschedulablePlugins }: QueuedPod): Iterable<string> {
  return unschedulablePlugins.size === 0 ? unfiled : unschedulablePlugins
}
